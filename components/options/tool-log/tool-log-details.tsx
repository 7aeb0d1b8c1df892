import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { toWire } from '../../../lib/errors.ts';
import { jsonNodes } from '../../../lib/state/chat/json-nodes.ts';
import { pretty, visible } from '../../../lib/state/shown-text.ts';
import type { WireError } from '../../../lib/types/error.ts';
import { type CallStatus, isEnded, type ToolCall } from '../../../lib/types/tools/tool-call.ts';
import type { ToolResult } from '../../../lib/types/tools/tool-result.ts';
import { Result } from '../../chat/calls/result.tsx';
import { JsonTree } from '../../ui/json-tree.tsx';
import '../../chat/calls/tool-details.css';
import { CopyButton } from '../../ui/copy-button.tsx';
import { useSetupState } from '../options-context.ts';
import { Problem } from '../form/problem.tsx';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';

/** A call's arguments and result, as text: what a server sent is never markup. Read again when its status changes. */
export function ToolLogDetails({
  callId,
  status,
}: {
  callId: string;
  status: CallStatus;
}): JSX.Element | null {
  const { command } = useSetupState();
  const [call, setCall] = useState<ToolCall | null>();
  const [error, setError] = useState<WireError | null>(null);
  useEffect(() => {
    let isWanted = true;
    command('loggedCall', { callId }).then(
      (found) => isWanted && setCall(found),
      (failure: unknown) => isWanted && setError(toWire(failure)),
    );
    return () => void (isWanted = false);
  }, [callId, status]);
  if (error) return <Problem error={error} />;
  if (call === undefined) return null;
  if (call === null) return <p class="muted">{t(($) => $.toolLog.gone)}</p>;
  return (
    <>
      <Audit call={call} />
      <div class="sides">
        <Part
          title={t(($) => $.toolLog.arguments)}
          {...(call.edited !== undefined && { note: t(($) => $.toolLog.edited) })}
        >
          <Arguments call={call} />
        </Part>
        <Part title={t(($) => $.toolLog.result)} copy={JSON.stringify(call, null, 2)}>
          <ResultOf call={call} />
        </Part>
      </div>
    </>
  );
}

/** Who allowed it, and what its model had read by then that others wrote. */
function Audit({ call }: { call: ToolCall }): JSX.Element | null {
  const { from = [], again, quotes = [] } = call.taint ?? {};
  const who = whoOf(call);
  const said = [
    ...(who ? [t(($) => $.toolLog.who[who])] : []),
    ...(from.length > 0
      ? [t(($) => (again ? $.toolLog.readSince : $.toolLog.read), { sources: listed(from) })]
      : []),
    ...(quotes.length > 0
      ? [t(($) => $.toolLog.quoted, { sources: listed(quotes.map((quote) => quote.from)) })]
      : []),
  ];
  return said.length > 0 ? <p class="log-audit small">{said.join(' ')}</p> : null;
}

const listed = (names: string[]): string => units.listed([...new Set(names)].map(visible));

const bases = { chat: 'byChat', always: 'byAlways', tier: 'byTier' } as const;

function whoOf({
  allowed,
  basis,
  result,
  imported,
}: ToolCall): keyof Texts.Settings['toolLog']['who'] | undefined {
  if (imported) return 'imported';
  if (result?.refusal === 'denied' || result?.refusal === 'blocked') return result.refusal;
  return allowed === 'before' && basis ? bases[basis] : allowed;
}

function Part({
  title,
  note,
  copy,
  children,
}: {
  title: string;
  note?: string;
  copy?: string;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <section aria-label={title}>
      <h3>
        {title}
        {note !== undefined && <span class="badge">{note}</span>}
        <span class="grow" />
        {copy !== undefined && <CopyButton name={t(($) => $.toolLog.copy)} text={() => copy} />}
      </h3>
      {children}
    </section>
  );
}

function Arguments({ call }: { call: ToolCall }): JSX.Element {
  const text = call.edited ?? call.arguments;
  if (text === '' && call.result?.dropped)
    return <p class="subtle">{t(($) => $.toolLog.argumentsDropped)}</p>;
  if (text === '' || text === '{}') return <p class="subtle">{t(($) => $.toolLog.none)}</p>;
  const tree = jsonNodes(text);
  return (
    <>
      {tree ? <JsonTree value={tree} label={t(($) => $.toolLog.arguments)} /> : <pre>{pretty(text)}</pre>}
      {call.omittedArguments !== undefined && <Omitted characters={call.omittedArguments} />}
    </>
  );
}

function ResultOf({ call: { result, status, serverId } }: { call: ToolCall }): JSX.Element {
  const { command } = useSetupState();
  if (result?.dropped) return <p class="subtle">{t(($) => $.toolLog.dropped)}</p>;
  if (result && !isEmpty(result)) {
    const read = serverId !== null && ((uri: string) => command('readResource', { serverId, uri }));
    return <Result result={result} {...(read && { read })} />;
  }
  return <p class="subtle">{isEnded(status) ? t(($) => $.toolLog.none) : t(($) => $.toolLog.noneYet)}</p>;
}

const isEmpty = ({ text, structured, blocks = [] }: ToolResult): boolean =>
  text === '' && structured === undefined && blocks.length === 0;

const Omitted = ({ characters }: { characters: number }): JSX.Element => (
  <p class="subtle">{t(($) => $.toolLog.omitted, { characters })}</p>
);
