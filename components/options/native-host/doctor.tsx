import { Stethoscope } from 'lucide';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { toWire } from '../../../lib/errors.ts';
import type { NativeHostStatus, ProgramInput } from '../../../lib/protocol/servers.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import type { StdioServer } from '../../../lib/types/server.ts';
import { Icon } from '../../ui/icon.tsx';
import { useSetup, useSetupState } from '../options-context.ts';
import { Problem } from '../form/problem.tsx';
import { placeOf } from '../server-status.ts';
import { useAction } from '../form/use-action.ts';
import { useAsked } from '../form/use-asked.ts';
import { WorkButton } from '../form/work-button.tsx';
import { shownSteps, Steps, StepUnderWay, type ShownStep } from './steps.tsx';
import { useCheck } from './use-check.ts';
import { t } from '../../../locales/texts/settings.ts';

/** What was installed, looked at as soon as the page is shown. */
export function Installation(props: { host: Extract<NativeHostStatus, { state: 'ready' }> }): JSX.Element {
  const { version, node } = props.host;
  const { command } = useSetupState();
  const { answer, error, again } = useAsked(() => command('checkNativeHost'), [version]);
  const steps: ShownStep[] = [
    { ok: true, text: t(($) => $.nativeHostPage.ready, { version, node }) },
    ...(answer ?? []),
  ];
  return (
    <section class="block" aria-label={t(($) => $.nativeHostPage.parts)}>
      <div class="toolbar">
        <h2 class="grow">{t(($) => $.nativeHostPage.parts)}</h2>
        <button type="button" class="btn s" onClick={again}>
          {t(($) => $.nativeHostPage.runDoctor)}
        </button>
      </div>
      <div class="rows">
        <Steps label={t(($) => $.nativeHostPage.parts)} steps={steps}>
          {!answer && !error && <StepUnderWay>{t(($) => $.nativeHostPage.checking)}</StepUnderWay>}
        </Steps>
      </div>
      {error && <Problem error={error} />}
      <p class="help">{t(($) => $.nativeHostPage.terminal)}</p>
    </section>
  );
}

type CheckOutcome = 'busy' | 'not_allowed' | ShownStep[];

/** Every server that is a program, started when the user asks for it. */
export function ServerChecks(): JSX.Element {
  const setup = useSetup();
  const checks = useCheck();
  const action = useAction();
  const [found, setFound] = useState<ReadonlyMap<number, CheckOutcome>>(new Map());
  const servers = setup.servers.filter((server) => server.transport === 'stdio');
  const isAllowed = ({ id }: StdioServer): boolean => setup.statuses[id]?.reason !== 'launch';
  const note = (id: number, what: CheckOutcome): void => setFound((before) => new Map(before).set(id, what));
  const check = async (server: StdioServer): Promise<void> => {
    note(server.id, 'busy');
    const asked = checks.check({ id: server.id, ...launchOf(server) });
    note(server.id, await asked.then(shownSteps, notAllowedOr));
  };
  return (
    <section class="block" aria-label={t(($) => $.nativeHostPage.servers)}>
      <div class="toolbar">
        <h2 class="grow">{t(($) => $.nativeHostPage.servers)}</h2>
        {servers.length > 0 && (
          <WorkButton
            class="s"
            busy={action.busy}
            press={() =>
              action.run(async () => void (await Promise.all(servers.filter(isAllowed).map(check))))
            }
          >
            <Icon of={Stethoscope} small />
            {t(($) => $.nativeHostPage.checkServers)}
          </WorkButton>
        )}
      </div>
      {servers.length === 0 ? (
        <p class="muted">{t(($) => $.nativeHostPage.noServers)}</p>
      ) : (
        <>
          <p class="help">{t(($) => $.nativeHostPage.serversLead)}</p>
          <ul class="rows" aria-label={t(($) => $.nativeHostPage.servers)}>
            {servers.map((server) => (
              <ServerCheck
                key={server.id}
                server={server}
                found={found.get(server.id)}
                isAllowed={isAllowed(server)}
              />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function ServerCheck(props: {
  server: StdioServer;
  found: CheckOutcome | undefined;
  isAllowed: boolean;
}): JSX.Element {
  const { server, found, isAllowed } = props;
  const name = visible(server.name);
  return (
    <li class="checked" aria-label={name}>
      <a href={`#servers/${server.id}`}>{name}</a>
      <p class="addr cut" dir="ltr" title={placeOf(server)}>
        {placeOf(server)}
      </p>
      {!found && isAllowed && <p class="small subtle">{t(($) => $.nativeHostPage.notChecked)}</p>}
      {(found === 'not_allowed' || (!found && !isAllowed)) && (
        <p class="small subtle">{t(($) => $.nativeHostPage.notAllowed)}</p>
      )}
      {found === 'busy' && <Elapsed label={name} />}
      {Array.isArray(found) && <Steps label={name} steps={found} />}
    </li>
  );
}

/** That a program is being started, and for how long by now. */
export function Elapsed({ label, before = [] }: { label: string; before?: ShownStep[] }): JSX.Element {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <Steps label={label} steps={before}>
      <StepUnderWay>{t(($) => $.programCheck.starting, { seconds })}</StepUnderWay>
    </Steps>
  );
}

/** What the worker needs to start it as it is saved; the environment's values are there. */
const launchOf = ({ command, args, cwd }: StdioServer): ProgramInput => ({
  command,
  args,
  ...(cwd !== undefined && { cwd }),
});

/** The status of a server that is off does not tell whether it may be started; the worker does. */
const notAllowedOr = (error: unknown): CheckOutcome =>
  toWire(error).code === 'server_launch' ? 'not_allowed' : failed(error);

/** Why there was no check at all, as its only step. */
export function failed(error: unknown): ShownStep[] {
  const { message, fix, cause } = toWire(error);
  return [
    { ok: false, text: message, ...(fix !== undefined && { fix }), ...(cause !== undefined && { cause }) },
  ];
}
