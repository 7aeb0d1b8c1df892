import { LoaderCircle, X } from 'lucide';
import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { argumentValues } from '../../../lib/state/composer/completion.ts';
import type { Chosen, Filling } from '../../../lib/state/composer/offer-menu.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { usePanel } from '../../panel-context.ts';
import { FaultLine } from '../../ui/fault.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useLayer } from '../../ui/overlay/layers.ts';
import { useFocusAfter } from '../../ui/overlay/use-focus-after.ts';
import { ArgumentField } from './argument-field.tsx';
import { CHORDS } from '../../ui/keys/chords.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import '../chat-settings/chat-settings.css';
import './menu.css';
import './offers.css';
import { t } from '../../../locales/texts/panel.ts';

/** Asks for the arguments of a prompt or a template, over the composer. */
export function ArgumentForm({ filling, close }: { filling: Filling; close: () => void }): JSX.Element {
  const { menu } = usePanel();
  const { entry, arguments: asked } = filling;
  const id = useId();
  const root = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(() => argumentValues());
  const [tried, setTried] = useState(false);
  useLayer(true, close);
  useFocusAfter(root);
  useLayoutEffect(() => root.current?.querySelector<HTMLElement>('input')?.focus(), []);

  const isMissing = ({ name, required }: Filling['arguments'][number]): boolean =>
    required && (values[name] ?? '').trim() === '';
  const onSubmit = (event: Event): void => {
    event.preventDefault();
    filling.completion.clear();
    setTried(true);
    const missing = asked.findIndex(isMissing);
    if (missing >= 0) return root.current?.querySelectorAll<HTMLElement>('input')[missing]?.focus();
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
    void menu.accept(given);
  };
  /** The field keeps the focus, and what is suggested stays: else the button would move from under the pointer. */
  const onMouseDown = (event: MouseEvent): void => {
    if ((event.target as Element).closest('button')) event.preventDefault();
  };
  const { name, from, description } = headOf(entry);
  const shown = visible(name);
  return (
    <form
      class="menu settings filling"
      aria-label={t(($) => $.offers.argumentsOf, { name: shown })}
      ref={root}
      noValidate
      onMouseDown={onMouseDown}
      onSubmit={onSubmit}
    >
      <div class="pane-head">
        <h2 class="grow cut">{shown}</h2>
        <span class="small subtle cut">{visible(from)}</span>
        <IconButton icon={X} label={t(($) => $.actions.cancel)} keys={CHORDS.escape} onClick={close} />
      </div>
      <div class="settings-body">
        {description !== '' && <p class="muted">{visible(description)}</p>}
        {asked.map((argument) => (
          <ArgumentField
            key={argument.name}
            id={`${id}-${argument.name}`}
            argument={argument}
            values={values}
            completion={filling.completion}
            missing={tried && isMissing(argument)}
            change={(value) => setValues(argumentValues(values, { [argument.name]: value }))}
          />
        ))}
        <FormFoot
          accept={
            entry.type === 'template' ? t(($) => $.offers.attachTemplate) : t(($) => $.offers.insertPrompt)
          }
        />
      </div>
    </form>
  );
}

function headOf(entry: Chosen): { name: string; from: string; description: string } {
  if (entry.type === 'saved')
    return { name: entry.prompt.name, from: t(($) => $.compose.saved), description: '' };
  const { name, serverName, description } = entry.offer;
  const title = 'title' in entry.offer ? entry.offer.title : undefined;
  return { name: title ?? name, from: serverName, description };
}

function FormFoot({ accept }: { accept: string }): JSX.Element {
  const { error, fetching, cancel } = usePanel().menu;
  return (
    <>
      {error.value && <FaultLine error={error.value} />}
      <div class="actions">
        <button class="btn primary" aria-disabled={fetching.value !== null}>
          {error.value ? t(($) => $.actions.retry) : accept}
        </button>
        {fetching.value && (
          <>
            <span class="small subtle working" role="status">
              <Icon of={LoaderCircle} small spins /> {t(($) => $.offers.working)}
            </span>
            <button type="button" class="btn quiet" onClick={cancel}>
              {t(($) => $.actions.cancel)}
            </button>
          </>
        )}
      </div>
    </>
  );
}
