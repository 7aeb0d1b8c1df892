import { useSignal } from '@preact/signals';
import { Check, ChevronDown, Cpu, Settings } from 'lucide';
import type { JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { en } from '../../locales/en.ts';
import { modelLabel } from '../../lib/state/setup.ts';
import type { Provider } from '../../lib/types.ts';
import { openSettings, usePanel } from '../panel-context.ts';
import { Icon } from '../ui/icon.tsx';
import { useLayer } from '../ui/layers.ts';

/** Chooses the model of this chat and of new ones. */
export function ModelPicker({ provider }: { provider: Provider | null }): JSX.Element {
  const panel = usePanel();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const open = useSignal(false);
  const active = useSignal(0);
  const providers = panel.setup.value?.providers ?? [];
  const last = providers.length;

  const close = (): void => {
    open.value = false;
    button.current?.focus();
  };
  const show = (): void => {
    active.value = Math.max(
      0,
      providers.findIndex((other) => other.id === provider?.id),
    );
    open.value = true;
  };
  /** The entry after the last provider leads to the settings. */
  const choose = (position: number): void => {
    const chosen = providers[position];
    if (chosen) panel.chooseProvider(chosen.id);
    else openSettings('models');
    close();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event;
    if (!open.value) {
      if (key !== 'ArrowDown' && key !== 'ArrowUp') return;
      show();
    } else if (key === 'ArrowDown') active.value = Math.min(last, active.value + 1);
    else if (key === 'ArrowUp') active.value = Math.max(0, active.value - 1);
    else if (key === 'Home') active.value = 0;
    else if (key === 'End') active.value = last;
    else if (key === 'Enter' || key === ' ') choose(active.value);
    else return;
    event.preventDefault();
  };
  useLayer(open.value, close);

  return (
    <>
      <button
        type="button"
        class="model"
        role="combobox"
        aria-label={en.composer.model}
        aria-expanded={open.value}
        aria-haspopup="listbox"
        aria-controls={`${id}-list`}
        {...(open.value && { 'aria-activedescendant': `${id}-${active.value}` })}
        ref={button}
        onClick={() => (open.value ? close() : show())}
        onKeyDown={onKeyDown}
        onBlur={() => (open.value = false)}
      >
        <span class="cut">{provider ? modelLabel(provider) : en.composer.noModel}</span>
        <Icon of={ChevronDown} small />
      </button>
      {open.value && (
        // The button keeps the focus, so that the list stays until something is chosen.
        <div
          class="menu"
          role="listbox"
          id={`${id}-list`}
          aria-label={en.composer.model}
          onMouseDown={(event) => event.preventDefault()}
        >
          {providers.map((other, position) => (
            <div
              key={other.id}
              class="option"
              role="option"
              id={`${id}-${position}`}
              aria-selected={position === active.value}
              onClick={() => choose(position)}
              onMouseMove={() => (active.value = position)}
            >
              <Icon of={other.id === provider?.id ? Check : Cpu} />
              <span class="cut">{modelLabel(other)}</span>
              {modelLabel(other) !== other.name && <span class="sub cut">{other.name}</span>}
            </div>
          ))}
          <div
            class="option"
            role="option"
            id={`${id}-${last}`}
            aria-selected={active.value === last}
            onClick={() => choose(last)}
            onMouseMove={() => (active.value = last)}
          >
            <Icon of={Settings} />
            <span>{en.composer.manage}</span>
          </div>
        </div>
      )}
    </>
  );
}
