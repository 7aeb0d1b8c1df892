import { Terminal } from 'lucide';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { NativeHostStatus } from '../../../lib/protocol/servers.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import type { Server } from '../../../lib/types/server.ts';
import { Icon } from '../../ui/icon.tsx';
import { checkServer, type ServerDraft } from '../servers/input.ts';
import { useAction } from '../form/use-action.ts';
import { WorkButton } from '../form/work-button.tsx';
import { useNativeHost } from './context.ts';
import { Elapsed, failed } from './doctor.tsx';
import { InstallCommand } from './install-command.tsx';
import { shownSteps, Steps, type ShownStep } from './steps.tsx';
import { useCheck } from './use-check.ts';
import './native-host.css';
import { t } from '../../../locales/texts/settings.ts';

/** Beside the form of a program: whether the native host is there, and whether the program works, before it is saved. */
export function ProgramCheck({ draft, server }: { draft: ServerDraft; server: Server | null }): JSX.Element {
  const status = useNativeHost(true);
  return (
    <aside class="side program-check" aria-label={t(($) => $.programCheck.title)}>
      <h2>{t(($) => $.programCheck.title)}</h2>
      {!status && <p class="small muted">{t(($) => $.nativeHostPage.looking)}</p>}
      {status && status.state !== 'ready' && <InstallCommand status={status} brief />}
      {status?.state === 'ready' && <Check host={status} draft={draft} server={server} />}
      <div class="notice small">
        <Icon of={Terminal} />
        <p>{t(($) => $.programCheck.trust)}</p>
      </div>
      <a class="small" href="#native-host">
        {t(($) => $.nativeHostPage.details)}
      </a>
    </aside>
  );
}

function Check(props: {
  host: Extract<NativeHostStatus, { state: 'ready' }>;
  draft: ServerDraft;
  server: Server | null;
}): JSX.Element {
  const { draft, server } = props;
  const checks = useCheck();
  const action = useAction();
  const [found, setFound] = useState<ShownStep[] | null>(null);
  const host: ShownStep = {
    ok: true,
    text: t(($) => $.programCheck.answers, { version: visible(props.host.version) }),
  };
  const { input, isSeen } = programIn(draft, server) ?? {};
  // What was found is of another command now.
  useEffect(() => {
    checks.stop();
    action.stop();
    setFound(null);
  }, [draft.command, draft.args, draft.cwd, draft.env]);
  const press = (): void => {
    if (!input) return setFound([{ ok: false, text: t(($) => $.programCheck.needsCommand) }]);
    setFound(null);
    action.run(async (isWanted) => {
      const steps = await checks.check(input, isSeen).then(shownSteps, failed);
      if (isWanted()) setFound(steps);
    });
  };
  return (
    <>
      <div role="status">
        {action.busy ? (
          <Elapsed label={t(($) => $.programCheck.title)} before={[host]} />
        ) : (
          <Steps label={t(($) => $.programCheck.title)} steps={[host, ...(found ?? [])]} />
        )}
      </div>
      {!found && !action.busy && <p class="help">{t(($) => $.programCheck.idle)}</p>}
      <WorkButton busy={action.busy} press={press}>
        {found ? t(($) => $.programCheck.again) : t(($) => $.programCheck.run)}
      </WorkButton>
    </>
  );
}

/** The program as it stands in the form, and whether it was typed there; null while there is none. */
function programIn(draft: ServerDraft, server: Server | null) {
  // What else is missing in the form does not matter here.
  const checked = checkServer({ ...draft, name: '-', toolTimeout: '1' }, server);
  if ('faults' in checked || checked.input.transport !== 'stdio') return null;
  const { command, args, cwd, env, launchAllowed = false } = checked.input;
  const input = {
    ...(server && { id: server.id }),
    command,
    args,
    ...(cwd !== undefined && { cwd }),
    ...(env && { env }),
  };
  return { input, isSeen: launchAllowed };
}
