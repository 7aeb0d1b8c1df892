import type { ComponentChildren, JSX } from 'preact';
import { visible } from '../../../lib/state/shown-text.ts';
import type { Server } from '../../../lib/types/setup.ts';
import { useFaultFocus } from '../fields.tsx';
import { ProgramCheck } from '../native-host/program-check.tsx';
import { useSetup } from '../options-context.ts';
import { Problem } from '../problem.tsx';
import { sentenceOf, statusOf } from '../server-status.ts';
import { useDraft } from '../use-draft.ts';
import { WorkButton } from '../work-button.tsx';
import { ServerFields } from './fields.tsx';
import { draftOf, type ServerDraft } from './input.ts';
import { useSave, type Saving } from './use-save.ts';
import { t } from '../../../locales/texts/settings.ts';

/** The settings of a server that exists. Its switch Enabled stands elsewhere. */
export function ServerForm({ server }: { server: Server }): JSX.Element {
  const setup = useSetup();
  const { draft: typed, set, settle } = useDraft(`servers/${server.id}`, () => draftOf(server));
  const draft = { ...typed, enabled: server.enabled };
  // What was typed is saved; of secrets nothing is shown again.
  const blank = { headers: '', env: '', clientSecret: '', forgetHeaders: false, forgetEnv: false };
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
    >
      <ServerFields server={server} draft={draft} set={set} faults={saving.faults} />
    </ServerFormFrame>
  );
  if (draft.transport !== 'stdio') return form;
  return (
    <div class="cols">
      {form}
      <ProgramCheck draft={draft} server={server} />
    </div>
  );
}

/** The form around the fields: what saving them came to, and the button. */
export function ServerFormFrame(props: {
  draft: ServerDraft;
  set: (change: Partial<ServerDraft>) => void;
  saving: Saving;
  words: string;
  note: string;
  /** How the server is since it was saved. */
  said?: string | undefined;
  cancel?: () => void;
  children: ComponentChildren;
}): JSX.Element {
  const { draft, set, saving, cancel } = props;
  const form = useFaultFocus(saving.faults);
  const said = saving.busy ? t(($) => $.servers.connecting) : props.said;
  return (
    <form
      class="form short"
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        saving.save(draft);
      }}
    >
      {props.children}
      {saving.error && <Problem error={saving.error} />}
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

/** The server answers from another place, which the person has to agree to. */
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
