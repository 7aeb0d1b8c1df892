import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { StorageUsed } from '../../../lib/protocol/data.ts';
import { forgetOffers } from '../../../lib/state/history/chats.ts';
import { forgetAnswers } from '../../../lib/state/composer/kept-answers.ts';
import { useLayer } from '../../ui/overlay/layers.ts';
import { useSetupState } from '../options-context.ts';
import { Problem } from '../form/problem.tsx';
import { ActionRow } from '../form/setting-rows.tsx';
import { useAction } from '../form/use-action.ts';
import { WorkButton } from '../form/work-button.tsx';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';

type What = 'results' | 'chats' | 'everything';

/** Getting rid of what is kept. `erased`: there is less than there was. */
export function Erase({ used, erased }: { used: StorageUsed | null; erased: () => void }): JSX.Element {
  return (
    <>
      <EraseRow
        what="results"
        label={t(($) => $.data.results)}
        help={t(($) => $.data.resultsHelp, {
          bytes: used?.oldResults ?? 0,
          size: units.bytes(used?.oldResults ?? 0),
        })}
        verb={t(($) => $.data.eraseResults)}
        erased={erased}
      />
      <EraseRow
        what="chats"
        label={t(($) => $.data.allChats)}
        help={t(($) => $.data.allChatsHelp, { number: used?.conversations ?? 0 })}
        verb={t(($) => $.data.eraseChats)}
        erased={erased}
      />
      <EraseEverything erased={erased} />
    </>
  );
}

export const EraseEverything = ({ erased }: { erased: () => void }): JSX.Element => (
  <EraseRow
    what="everything"
    label={t(($) => $.data.everything)}
    help={t(($) => $.data.everythingHelp)}
    verb={t(($) => $.data.eraseEverything)}
    erased={erased}
  />
);

function EraseRow(props: {
  what: What;
  label: string;
  help: string;
  verb: string;
  erased: () => void;
}): JSX.Element {
  const { what } = props;
  const { command } = useSetupState();
  const action = useAction();
  const [asking, setAsking] = useState(false);
  const [status, setStatus] = useState('');
  const opener = useRef<HTMLSpanElement>(null);
  const close = (): void => {
    setAsking(false);
    opener.current?.querySelector('button')?.focus();
  };
  const erase = (): void =>
    action.run(async () => {
      const { count } = await command('erase', { what });
      if (what === 'chats') {
        forgetAnswers(localStorage);
        forgetOffers(localStorage);
      }
      if (what === 'everything') localStorage.clear();
      setStatus(t(($) => $.data.erased[what], { number: count }));
      close();
      props.erased();
    });
  const open = (): void => {
    setStatus('');
    setAsking(true);
  };
  return (
    <ActionRow
      label={props.label}
      help={props.help}
      buttons={
        <span ref={opener}>
          <button
            type="button"
            class={what === 'results' ? 'btn' : 'btn danger'}
            aria-expanded={asking}
            onClick={open}
          >
            {props.verb}
          </button>
        </span>
      }
    >
      {asking && <TypedConfirmation what={what} busy={action.busy} erase={erase} close={close} />}
      <p class="small muted" role="status">
        {status}
      </p>
      {action.error && <Problem error={action.error} />}
    </ActionRow>
  );
}

/** Nothing erases, no double click and no Enter, before the word was typed. */
function TypedConfirmation(props: {
  what: What;
  busy: boolean;
  erase: () => void;
  close: () => void;
}): JSX.Element {
  const { what, busy } = props;
  const { setup } = useSetupState();
  const id = useId();
  const [typed, setTyped] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useLayer(true, props.close);
  useLayoutEffect(() => field.current?.focus(), []);
  const isMeant = typed.trim().toLowerCase() === t(($) => $.data.word);
  const press = (): void => {
    if (isMeant && !busy) props.erase();
  };
  return (
    <div class="notice danger typed" role="group" aria-label={t(($) => $.data.questions[what])}>
      <p id={`${id}-goes`}>
        <strong>{t(($) => $.data.questions[what])}</strong> {t(($) => $.data.goes[what])}
        {what === 'chats' && setup.value?.sync && ` ${t(($) => $.data.goesElsewhere)}`}
      </p>
      <div class="actions">
        <label for={id}>{t(($) => $.data.typeWord)}</label>
        <input
          class="input"
          id={id}
          ref={field}
          value={typed}
          autocomplete="off"
          spellcheck={false}
          aria-describedby={`${id}-goes`}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={({ key, repeat }) => key === 'Enter' && !repeat && press()}
        />
        <WorkButton class="danger" busy={busy} disabled={!isMeant} press={press}>
          {t(($) => $.data.confirm)}
        </WorkButton>
        <button type="button" class="btn quiet" onClick={props.close}>
          {t(($) => $.options.cancel)}
        </button>
      </div>
    </div>
  );
}
