import { Play, Square } from 'lucide';
import type { JSX } from 'preact';
import { useId, useState, useEffect, useRef } from 'preact/hooks';
import type { ListedTool } from '../../../lib/protocol/tools.ts';
import { jsonFault } from '../../../lib/state/chat/json-fault.ts';
import type { ToolResult } from '../../../lib/types/tools/tool-result.ts';
import { Result } from '../../chat/calls/result.tsx';
import '../../chat/calls/tool-details.css';
import { Icon } from '../../ui/icon.tsx';
import { useNow } from '../../ui/use-now.ts';
import { TextArea } from '../../ui/fields.tsx';
import { useSetupState } from '../options-context.ts';
import { Problem } from '../form/problem.tsx';
import { Asked } from './asked.tsx';
import { exampleArguments } from './example-arguments.ts';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';
import { toWire } from '../../../lib/errors.ts';
import type { Reply } from '../../../lib/protocol/commands.ts';

/** One call of the user's own, outside any chat, and what its server asks in the middle of it. */
export function TryTool({ tool }: { tool: ListedTool }): JSX.Element {
  const id = useId();
  const [text, setText] = useState(() => exampleArguments(tool.inputSchema));
  const [told, setTold] = useState(false);
  const { running, ended, run, stop } = useTry(tool.fullName);
  const fault = jsonFault(text);
  const submit = (event: Event): void => {
    event.preventDefault();
    setTold(fault !== null);
    if (fault === null && !running) run(JSON.parse(text.trim() || '{}') as Record<string, unknown>);
  };
  return (
    <section class="try" aria-labelledby={id} data-asks>
      <h3 id={id}>{t(($) => $.tryTool.title)}</h3>
      <form class="form" noValidate onSubmit={submit}>
        <TextArea
          label={t(($) => $.tryTool.arguments)}
          value={text}
          set={setText}
          rows={Math.min(12, Math.max(3, text.split('\n').length))}
          invalid={told ? (fault ?? undefined) : undefined}
          help={t(($) => $.tryTool.help)}
          code
        />
        <div class="actions">
          {/* One button, so that the focus stays in its place. */}
          <button
            type={running ? 'button' : 'submit'}
            class={running ? 'btn' : 'btn primary'}
            onClick={running ? stop : undefined}
          >
            <Icon of={running ? Square : Play} />
            {running ? t(($) => $.tryTool.stop) : t(($) => $.tryTool.run)}
          </button>
          {running && <Elapsed since={running.since} />}
          <span class="small muted" role="status">
            {ended && 'result' in ended && summary(ended.result, ended.tookMs)}
          </span>
        </div>
      </form>
      {running && <Asked isOurs={({ callId }) => callId === running.callId} />}
      {ended && 'error' in ended && <Problem error={ended.error} />}
      {ended && 'result' in ended && <Outcome result={ended.result} serverId={tool.serverId} />}
    </section>
  );
}

const summary = ({ isError }: ToolResult, tookMs: number): string =>
  isError
    ? t(($) => $.tryTool.failed, { duration: units.took(tookMs) })
    : t(($) => $.tryTool.answered, { duration: units.took(tookMs) });

function Elapsed({ since }: { since: number }): JSX.Element {
  const now = useNow(true);
  return (
    <span class="small muted num">
      {t(($) => $.tryTool.running, { seconds: units.elapsed(now - since) })}
    </span>
  );
}

function Outcome({ result, serverId }: { result: ToolResult; serverId: number }): JSX.Element {
  const { command } = useSetupState();
  return (
    <section class="part came" aria-label={t(($) => $.tryTool.result)}>
      <div class="part-head">
        <h4 class="grow">{t(($) => $.tryTool.result)}</h4>
        {result.isError && <span class="badge danger">{t(($) => $.tool.status.error)}</span>}
      </div>
      <Result result={result} read={(uri) => command('readResource', { serverId, uri })} />
    </section>
  );
}

/** A call under way. `since`: milliseconds since the epoch. */
type Running = { callId: string; since: number };
type Ended = Reply<'callTool'> & { tookMs: number };

/** Calls of one tool outside any chat, one at a time. One that is under way when the page goes is stopped. */
function useTry(fullName: string): {
  running: Running | null;
  ended: Ended | null;
  run: (args: Record<string, unknown>) => void;
  stop: () => void;
} {
  const { command } = useSetupState();
  const [running, setRunning] = useState<Running | null>(null);
  const [ended, setEnded] = useState<Ended | null>(null);
  const current = useRef<Running | null>(null);

  const stop = (): void => {
    if (!current.current) return;
    // What came of it is told by the call itself.
    command('cancelTool', { callId: current.current.callId }).catch((error: unknown) =>
      console.warn('A call could not be stopped.', error),
    );
  };
  useEffect(
    () => () => {
      stop();
      current.current = null;
    },
    [],
  );
  const run = async (args: Record<string, unknown>): Promise<void> => {
    if (current.current) return;
    const own = { callId: crypto.randomUUID(), since: Date.now() };
    current.current = own;
    setRunning(own);
    setEnded(null);
    const answer = await command('callTool', { callId: own.callId, fullName, arguments: args }).catch(
      (error: unknown) => ({ error: toWire(error) }),
    );
    if (current.current !== own) return;
    current.current = null;
    setRunning(null);
    setEnded({ ...answer, tookMs: Date.now() - own.since });
  };
  return { running, ended, run: (args) => void run(args), stop };
}
