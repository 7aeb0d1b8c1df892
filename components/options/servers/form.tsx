import { ClipboardPaste } from 'lucide';
import type { JSX } from 'preact';
import type { Added } from '../../../lib/protocol/servers.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import type { WireError } from '../../../lib/types/error.ts';
import type { Server } from '../../../lib/types/server.ts';
import { Icon } from '../../ui/icon.tsx';
import { useFormFocus } from '../../ui/fields.tsx';
import { ProgramCheck } from '../native-host/program-check.tsx';
import { useSetup } from '../options-context.ts';
import { Problem } from '../form/problem.tsx';
import { sentenceOf, statusOf } from '../server-status.ts';
import { useDraft } from '../form/use-draft.ts';
import { WorkButton } from '../form/work-button.tsx';
import { ServerFields } from './fields.tsx';
import { draftOf, movedTo, type ServerDraft } from './input.ts';
import { usePaste } from './use-paste.ts';
import { useSave, type Saving } from './use-save.ts';
import { t } from '../../../locales/texts/settings.ts';

/** The settings of a server that exists. Its switch Enabled stands elsewhere. */
export function ServerForm({ server }: { server: Server }): JSX.Element {
  const setup = useSetup();
  const { draft: typed, set, settle } = useDraft(`servers/${server.id}`, () => draftOf(server));
  // What is saved as another server is not trusted (lib/storage/configuration/servers.ts).
  const trusted = (typed.trusted ?? server.trusted) && movedTo(typed, server) === null;
  const draft = { ...typed, enabled: server.enabled, trusted };
  // What was typed is saved; of secrets nothing is shown again.
  const blank = {
    headers: '',
    env: '',
    clientSecret: '',
    forgetHeaders: false,
    forgetEnv: false,
    trusted: undefined,
  };
  const saving = useSave(server, (saved) => {
    if (!saved.isMoved) settle(saved.draft, blank);
  });
  // That it has moved is said beside the question what to do.
  const isSaid = saving.outcome && saving.outcome.error?.redirectedTo === undefined;
  const said = isSaid ? sentenceOf(server, statusOf(setup, server)) : undefined;
  const form = (
    <ServerFormFrame
      draft={draft}
      set={set}
      saving={saving}
      words={t(($) => $.servers.saveAndReconnect)}
      note={t(($) => $.servers.saveReconnects)}
      said={said}
      server={server}
    />
  );
  if (draft.transport !== 'stdio') return form;
  return (
    <div class="cols">
      {form}
      <ProgramCheck draft={draft} server={server} />
    </div>
  );
}

/** The form with its fields: what saving them came to, and the button. */
export function ServerFormFrame(props: {
  /** The one that is changed. */
  server: Server | null;
  draft: ServerDraft;
  set: (change: Partial<ServerDraft>) => void;
  saving: Saving;
  words: string;
  note: string;
  /** How the server is since it was saved. */
  said?: string | undefined;
  cancel?: () => void;
}): JSX.Element {
  const { server, draft, set, saving, cancel } = props;
  const form = useFormFocus(saving.faults, !server);
  const pasting = usePaste(form, draft, set, server);
  const said = saving.busy ? t(($) => $.servers.connecting) : props.said;
  return (
    <form
      class="form short"
      ref={form}
      noValidate
      onPaste={pasting.onPaste}
      onKeyDown={pasting.onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        if (draft.transport === 'stdio' || !pasting.read(draft.url)) saving.save(draft);
      }}
    >
      {pasting.notes && <Filled notes={pasting.notes} undo={pasting.undo} />}
      <ServerFields
        server={server}
        draft={draft}
        set={pasting.set}
        faults={saving.faults}
        wantsHeaders={isLocked(saving.missed)}
      />
      {saving.error && <Problem error={saving.error} />}
      {saving.missed && !saving.busy && (
        <Missed missed={saving.missed} save={(isAnyway) => saving.save(draft, isAnyway)} />
      )}
      <Moved
        outcome={saving.busy ? null : saving.outcome}
        use={(url) => {
          set({ url });
          saving.save({ ...draft, url });
        }}
      />
      <div class="form-foot">
        <WorkButton class="primary" submit busy={saving.busy}>
          {props.words}
        </WorkButton>
        {cancel && (
          <a class="btn quiet" href="#servers" onClick={cancel}>
            {t(($) => $.options.cancel)}
          </a>
        )}
        <span class={said === undefined ? 'sr' : 'grow wrap'} role="status">
          {said}
        </span>
        {said === undefined && <span class="help grow">{props.note}</span>}
      </div>
    </form>
  );
}

/** That what was pasted became these fields. */
function Filled({ notes, undo }: { notes: string[]; undo: () => void }): JSX.Element {
  return (
    <div class="notice filled" role="status">
      <Icon of={ClipboardPaste} />
      <div class="grow">
        <p>{t(($) => $.servers.filled)}</p>
        {notes.map((note) => (
          <p key={note} class="small muted wrap">
            {visible(note)}
          </p>
        ))}
      </div>
      <button type="button" class="btn s" onClick={undo}>
        {t(($) => $.servers.undoPaste)}
      </button>
    </div>
  );
}

const isLocked = (missed: Added | null): boolean => missed?.error?.code === 'server_unauthorized';

/** That no server answered and nothing was saved, where it was looked for, and what can be done. */
function Missed(props: { missed: Added; save: (isAnyway: boolean) => void }): JSX.Element {
  const { tried = [], error } = props.missed;
  const nothing = t(($) => $.servers.missed, { host: URL.parse(tried[0]?.address ?? '')?.host ?? '' });
  const isNowhere = tried.length > 1 && !isLocked(props.missed);
  const said = (found: WireError): WireError => {
    if (isNowhere) return { ...nothing, code: found.code, retryable: false };
    // It is not saved: there is nothing to reconnect.
    return isLocked(props.missed) ? { ...found, fix: t(($) => $.servers.missedHeaders) } : found;
  };
  return (
    <div class="missed">
      {error && <Problem error={said(error)} />}
      {tried.length > 1 && (
        <ul class="tried small" aria-label={t(($) => $.servers.tried)}>
          {tried.map((each) => (
            <li key={each.address}>
              <code class="wrap">{visible(each.address)}</code>
              <span class="muted cut">{visible(each.error.cause ?? each.error.message)}</span>
            </li>
          ))}
        </ul>
      )}
      <div class="actions">
        <button type="button" class="btn" onClick={() => props.save(false)}>
          {t(($) => $.servers.tryAgain)}
        </button>
        <button type="button" class="btn quiet" onClick={() => props.save(true)}>
          {t(($) => $.servers.saveAnyway)}
        </button>
        <span class="help">{t(($) => $.servers.notSaved)}</span>
      </div>
    </div>
  );
}

/** The server answers from another place, which the user has to agree to. */
function Moved(props: { outcome: Saving['outcome']; use: (address: string) => void }): JSX.Element | null {
  const error = props.outcome?.error;
  const address = error?.redirectedTo;
  if (!error || address === undefined) return null;
  return (
    <div class="moved-to">
      <Problem error={{ ...error, message: t(($) => $.servers.failed, { why: error.message }) }} />
      <button type="button" class="btn" onClick={() => props.use(address)}>
        <span class="wrap">{t(($) => $.servers.useAddress, { address: visible(address) })}</span>
      </button>
    </div>
  );
}
