import { ChevronLeft } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { requestOrigins } from '../../lib/gestures.ts';
import { en } from '../../locales/en.ts';
import type { Server } from '../../lib/types/setup.ts';
import { Icon } from '../ui/icon.tsx';
import { Check, SelectField, Switch, TextField, useFaultFocus } from './fields.tsx';
import { HeadersField } from './headers-field.tsx';
import { useSetupState } from './options-context.ts';
import { Problem } from './problem.tsx';
import { go } from './route.ts';
import { savedServer } from './saved-server.ts';
import { orSecretFault } from './secret-fault.ts';
import { checkServer, draftOf, type ServerDraft, type ServerFaults } from './server-input.ts';
import { useAction } from './use-action.ts';
import { useDraft } from './use-draft.ts';
import { WorkButton } from './work-button.tsx';

export function AddServerPage(): JSX.Element {
  return (
    <>
      <a class="crumb" href="#servers">
        <Icon of={ChevronLeft} small />
        {en.options.servers}
      </a>
      <header class="head">
        <div>
          <h1>{en.servers.add}</h1>
        </div>
      </header>
      <ServerForm server={null} />
    </>
  );
}

/** One server's settings; `server` null adds one. */
export function ServerForm({ server }: { server: Server | null }): JSX.Element {
  const { command } = useSetupState();
  const { draft, set, forget } = useDraft(`servers/${server?.id ?? 'add'}`, () => draftOf(server));
  const [faults, setFaults] = useState<ServerFaults>({});
  const form = useFaultFocus(faults);
  const save = useAction();

  const submit = (event: Event): void => {
    event.preventDefault();
    if (save.busy) return;
    // The switch of a server that exists stands at the page's head.
    const checked = checkServer(server ? { ...draft, enabled: server.enabled } : draft, server?.id);
    save.clear();
    if ('faults' in checked) return setFaults(checked.faults);
    const { input } = checked;
    // First of all, while the click still counts.
    const granting = requestOrigins([input.url]);
    setFaults({});
    save.run(async (isWanted) => {
      if (!(await granting)) {
        return setFaults({ url: en.options.refused(new URL(input.url).host) });
      }
      const saved = await orSecretFault(command('saveServer', input), (headers) => setFaults({ headers }));
      if (!saved) return;
      forget();
      savedServer.value = saved.id;
      if (isWanted()) await go('servers');
    });
  };

  return (
    <form class="form short" ref={form} onSubmit={submit} noValidate>
      <ServerFields server={server} draft={draft} set={set} faults={faults} />
      {save.error && <Problem error={save.error} />}
      <div class="form-foot">
        <WorkButton class="primary" submit busy={save.busy}>
          {en.options.save}
        </WorkButton>
        <a class="btn quiet" href="#servers" onClick={forget}>
          {en.options.cancel}
        </a>
        <span class="help grow">{en.options.asksFirst}</span>
      </div>
    </form>
  );
}

function ServerFields(props: {
  server: Server | null;
  draft: ServerDraft;
  set: (change: Partial<ServerDraft>) => void;
  faults: ServerFaults;
}): JSX.Element {
  const { server, draft, set, faults } = props;
  const words = en.servers.fields;
  return (
    <>
      <TextField label={words.name} value={draft.name} set={(name) => set({ name })} invalid={faults.name} />
      <SelectField
        label={words.transport}
        value={draft.transport}
        options={en.servers.transport}
        set={(transport) => set({ transport })}
        help={words.transportHelp}
      />
      <TextField label={words.url} value={draft.url} set={(url) => set({ url })} invalid={faults.url} mono />
      <HeadersField
        draft={draft}
        set={set}
        saved={server?.headerNames ?? []}
        help={words.headersHelp}
        invalid={faults.headers}
      />
      <TextField
        label={words.timeout}
        type="number"
        value={draft.toolTimeout}
        set={(toolTimeout) => set({ toolTimeout })}
        invalid={faults.toolTimeout}
        help={words.timeoutHelp}
      />
      <Check
        label={words.trusted}
        checked={draft.trusted}
        set={(trusted) => set({ trusted })}
        help={words.trustedHelp}
      />
      <Check
        label={words.oneAtATime}
        checked={draft.oneAtATime}
        set={(oneAtATime) => set({ oneAtATime })}
        help={words.oneAtATimeHelp}
      />
      {!server && (
        <div class="actions">
          <Switch
            label={words.enabled}
            labelShown
            checked={draft.enabled}
            set={(enabled) => set({ enabled })}
          />
        </div>
      )}
    </>
  );
}
