import { useSignal } from '@preact/signals';
import { ChevronDown } from 'lucide';
import type { JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { modelLabel, type Choice } from '../../../lib/state/composer/choice.ts';
import { Icon } from '../../ui/icon.tsx';
import { useLayer } from '../../ui/overlay/layers.ts';
import { lazy } from '../../ui/lazy.tsx';
import { listKey, useModelEntries } from './model-entries.ts';
import '../menu/menu.css';
import './model-picker.css';
import { t } from '../../../locales/texts/panel.ts';

const ModelMenu = lazy((views) => views.ModelMenu);

/** Pressed from elsewhere in the panel. */
export function openModelMenu(): void {
  const button = document.querySelector<HTMLElement>('.picker .model');
  button?.focus();
  button?.click();
}

export function ModelPicker(props: { choice: Choice | null; openChatSettings: () => void }): JSX.Element {
  const { choice, openChatSettings } = props;
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const open = useSignal(false);
  const list = useModelEntries(choice, openChatSettings);

  const close = (): void => {
    open.value = false;
    button.current?.focus();
  };
  const show = (): void => {
    list.reset();
    open.value = true;
  };
  const choose = (position: number): void => {
    const entry = list.entries[position];
    if (!entry?.isWithin) close();
    entry?.choose();
  };
  useLayer(open.value, close);

  const onKeyDown = (event: KeyboardEvent): void => {
    const { active, point, entries } = list;
    const reach = { active, point, last: entries.length - 1, choose: () => choose(active) };
    if (open.value) {
      if (!listKey(event, event.target instanceof HTMLInputElement, reach)) return;
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') show();
    else return;
    event.preventDefault();
  };
  const onFocusOut = ({ relatedTarget }: FocusEvent): void => {
    if (!(relatedTarget instanceof Node && box.current?.contains(relatedTarget))) open.value = false;
  };
  return (
    <div class="picker" ref={box} onFocusOut={onFocusOut} onKeyDown={onKeyDown}>
      <button
        type="button"
        class="model"
        role="combobox"
        aria-label={t(($) => $.composer.model)}
        aria-expanded={open.value}
        aria-haspopup="listbox"
        aria-controls={`${id}-list`}
        aria-activedescendant={open.value ? `${id}-${list.active}` : undefined}
        ref={button}
        onClick={() => (open.value ? close() : show())}
      >
        <span class="cut" dir="auto">
          {choice ? modelLabel(choice.provider, choice.model) : t(($) => $.composer.noModel)}
        </span>
        <Icon of={ChevronDown} small />
      </button>
      {open.value && <ModelMenu id={id} choice={choice} list={list} choose={choose} />}
    </div>
  );
}
