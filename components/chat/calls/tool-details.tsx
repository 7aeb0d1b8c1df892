import { RotateCw } from 'lucide';
import type { ComponentChildren, JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { jsonNodes } from '../../../lib/state/chat/json-nodes.ts';
import { pretty } from '../../../lib/state/shown-text.ts';
import { tokensOf } from '../../../lib/types/tokens.ts';
import { type CallStatus, isEnded, type ToolCall } from '../../../lib/types/tools/tool-call.ts';
import type { ToolResult } from '../../../lib/types/tools/tool-result.ts';
import { usePanel } from '../../panel-context.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { JsonTree } from '../../ui/json-tree.tsx';
import type { ReadLink } from './content-block.tsx';
import { Raw } from '../message/raw.tsx';
import { ResultBody } from './result.tsx';
import { FormatTabs, useResultFormat } from './result-format.tsx';
import './tool-details.css';
import { t } from '../../../locales/texts/panel.ts';
import { units } from '../../../locales/units.ts';
import { dates } from '../../../locales/dates.ts';

/**
 * A call's arguments, those that ran, and its result: what a server sent is never markup. `again` is there when the
 * call can be made once more.
 */
export function ToolDetails(props: {
  call: ToolCall;
  status: CallStatus;
  again: (() => void) | null;
}): JSX.Element {
  const { call, status, again } = props;
  const { ask } = usePanel();
  const { serverId, result } = call;
  return (
    <>
      <Arguments call={call} />
      {result ? (
        <ResultPart
          result={result}
          {...(serverId !== null && { read: (uri: string) => ask('readResource', { serverId, uri }) })}
        />
      ) : (
        <Part
          title={t(($) => $.tool.result)}
          word={isEnded(status) ? t(($) => $.tool.noneRecorded) : t(($) => $.tool.noneYet)}
        />
      )}
      {again && (
        <div class="part tool-actions">
          <button class="btn s" onClick={again}>
            <Icon of={RotateCw} small />
            {t(($) => $.tool.runAgain)}
          </button>
        </div>
      )}
      <Foot call={call} />
    </>
  );
}

function Arguments({ call }: { call: ToolCall }): JSX.Element {
  const text = call.edited ?? call.arguments;
  const value = useMemo(() => jsonNodes(text), [text]);
  const edited = call.edited !== undefined && <span class="badge">{t(($) => $.tool.edited)}</span>;
  if (text === '' || pretty(text) === '{}') {
    const none = call.result?.dropped ? t(($) => $.tool.argumentsDropped) : t(($) => $.tool.none);
    return <Part title={t(($) => $.tool.arguments)} head={edited} word={none} />;
  }
  const copy = <CopyButton name={t(($) => $.card.copyArguments)} text={() => text} />;
  return (
    <Part title={t(($) => $.tool.arguments)} head={edited} end={copy}>
      {value ? <JsonTree value={value} label={t(($) => $.tool.arguments)} /> : <Raw text={pretty(text)} />}
      {call.omittedArguments !== undefined && (
        <p class="shot small subtle">{t(($) => $.tool.omitted, { characters: call.omittedArguments })}</p>
      )}
    </Part>
  );
}

function ResultPart({ result, read }: { result: ToolResult; read?: ReadLink }): JSX.Element {
  const format = useResultFormat(result);
  const tokens = useMemo(() => tokensOf(result.text), [result.text]);
  const head = tokens > 0 && (
    <span class="subtle num">{t(($) => $.card.tokens, { count: tokens, amount: units.amount(tokens) })}</span>
  );
  const end = (
    <>
      <FormatTabs {...format} />
      <CopyButton name={t(($) => $.card.copyResult)} text={format.copied} />
    </>
  );
  return (
    <Part title={t(($) => $.tool.result)} head={head} end={end}>
      <ResultBody result={result} format={format} {...(read && { read })} />
    </Part>
  );
}

/** `word` stands in the place of something to show. */
function Part(props: {
  title: string;
  head?: ComponentChildren;
  word?: string;
  end?: ComponentChildren;
  children?: ComponentChildren;
}): JSX.Element {
  const { title, head, word, end, children } = props;
  return (
    <section class="part" role="region" aria-label={title}>
      <div class="part-head">
        <h4>{title}</h4>
        {head}
        <span class="grow" />
        {word !== undefined && <span class="subtle">{word}</span>}
        {end}
      </div>
      {children}
    </section>
  );
}

/** When it ran, by what it was allowed to, and the way to its line in the tool log. */
function Foot({ call }: { call: ToolCall }): JSX.Element | null {
  const { callId, startedAt, allowed } = call;
  if (startedAt === undefined) return null;
  return (
    <p class="tool-foot">
      <time dateTime={startedAt}>{dates.second(startedAt)}</time>
      <span class="grow">{allowed && t(($) => $.card.allowed[allowed])}</span>
      <a href={`options.html#tool-log/call/${callId}`} target="_blank" rel="noopener">
        {t(($) => $.card.log)}
      </a>
    </p>
  );
}
