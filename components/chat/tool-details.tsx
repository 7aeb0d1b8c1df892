import { RotateCw } from 'lucide';
import type { JSX } from 'preact';
import { en } from '../../locales/en.ts';
import { pretty } from '../../lib/state/shown-text.ts';
import type { CallStatus, ToolCall } from '../../lib/types/tool.ts';
import { Icon } from '../ui/icon.tsx';
import type { ReadLink } from './media.tsx';
import { Raw } from './raw.tsx';
import { Result } from './result.tsx';
import './tool-details.css';

/** Reads a resource of a server, for a result that only names it. @throws AppError */
export type ReadResource = (resource: { serverId: number; uri: string }) => ReturnType<ReadLink>;

/**
 * A call's arguments, those that ran, and its result, as text: what a server sent is never markup. `again` is there
 * when the call can be made once more; without `read` nothing that a result names is fetched.
 */
export function ToolDetails(props: {
  call: ToolCall;
  status: CallStatus;
  again: (() => void) | null;
  read?: ReadResource;
}): JSX.Element {
  const { call, status, again, read } = props;
  const { serverId, result } = call;
  const args = pretty(call.edited ?? call.arguments);
  const waits = status === 'pending' || status === 'approved' || status === 'running';
  const none = result?.dropped ? en.tool.argumentsDropped : en.tool.none;
  return (
    <>
      <Part title={en.tool.arguments} {...(call.edited !== undefined && { note: en.tool.edited })}>
        {args === '' || args === '{}' ? none : <Raw text={args} />}
      </Part>
      <Part title={en.tool.result}>
        {result ? (
          <Result
            result={result}
            {...(read && serverId !== null && { read: (uri: string) => read({ serverId, uri }) })}
          />
        ) : waits ? (
          en.tool.noneYet
        ) : (
          en.tool.noneRecorded
        )}
      </Part>
      {again && (
        <div class="part tool-actions">
          <button class="btn s" onClick={again}>
            <Icon of={RotateCw} small />
            {en.tool.runAgain}
          </button>
        </div>
      )}
    </>
  );
}

/** A word instead of something to show stands in the head. */
function Part(props: { title: string; note?: string; children: JSX.Element | string }): JSX.Element {
  const { title, note, children } = props;
  const isWord = typeof children === 'string';
  return (
    <section class="part" role="region" aria-label={title}>
      <div class="part-head">
        <h4 class="grow">{title}</h4>
        {note !== undefined && <span class="badge">{note}</span>}
        {isWord && <span class="subtle">{children}</span>}
      </div>
      {!isWord && children}
    </section>
  );
}
