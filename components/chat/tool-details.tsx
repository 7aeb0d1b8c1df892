import { RotateCw } from 'lucide';
import type { JSX } from 'preact';
import { en } from '../../locales/en.ts';
import { pretty, visible } from '../../lib/state/shown-text.ts';
import type { CallStatus, ContentBlock, ToolCall, ToolResult } from '../../lib/types/tool.ts';
import { Icon } from '../ui/icon.tsx';
import './tool-details.css';

/**
 * A call's arguments, those that ran, and its result, as text: what a server sent is never markup. `again` is there
 * when the call can be made once more.
 */
export function ToolDetails(props: {
  call: ToolCall;
  status: CallStatus;
  again: (() => void) | null;
}): JSX.Element {
  const { call, status, again } = props;
  const args = pretty(call.edited ?? call.arguments);
  const waits = status === 'pending' || status === 'approved' || status === 'running';
  return (
    <>
      <Part title={en.tool.arguments} {...(call.edited !== undefined && { note: en.tool.edited })}>
        {args === '' || args === '{}' ? en.tool.none : <pre class="raw">{args}</pre>}
      </Part>
      <Part title={en.tool.result}>
        {call.result ? <Result result={call.result} /> : waits ? en.tool.noneYet : en.tool.noneRecorded}
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

export function Result({ result }: { result: ToolResult }): JSX.Element {
  const media = (result.blocks ?? []).filter((block) => block.type !== 'text');
  return (
    <>
      {(result.text !== '' || media.length === 0) && <pre class="raw">{pretty(result.text)}</pre>}
      {media.map((block, position) => (
        <Media key={position} block={block} />
      ))}
      {result.omitted !== undefined && <p class="shot small subtle">{en.tool.omitted(result.omitted)}</p>}
    </>
  );
}

/** Raster images only: an SVG could load something from elsewhere. */
const drawable = /^image\/(png|jpeg|gif|webp)$/;

export function Media({ block }: { block: ContentBlock }): JSX.Element | null {
  switch (block.type) {
    case 'image':
      return (
        <div class="shot">
          {drawable.test(block.mimeType) && (
            <img src={`data:${block.mimeType};base64,${block.data}`} alt={en.tool.image(block.mimeType)} />
          )}
          <p class="small subtle">{en.tool.image(block.mimeType)}</p>
        </div>
      );
    case 'audio':
      return <p class="shot small subtle">{en.tool.media('Audio', block.mimeType)}</p>;
    case 'resource_link':
      return <p class="shot small subtle">{visible(`${block.title ?? block.name}: ${block.uri}`)}</p>;
    case 'resource':
      return block.resource.text === undefined ? (
        <p class="shot small subtle">{visible(block.resource.uri)}</p>
      ) : (
        <pre class="raw">{visible(block.resource.text)}</pre>
      );
    default:
      return null;
  }
}
