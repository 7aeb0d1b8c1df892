import type { JSX } from 'preact';
import { en } from '../../locales/en.ts';
import type { CallStatus, ContentBlock, ToolCall, ToolResult } from '../../lib/types.ts';

/** A call's arguments and result, as text: what a server sent is never markup. */
export function ToolDetails({ call, status }: { call: ToolCall; status: CallStatus }): JSX.Element {
  const args = pretty(call.arguments);
  const waits = status === 'pending' || status === 'approved' || status === 'running';
  return (
    <>
      <Part title={en.tool.arguments} note={args === '' || args === '{}' ? en.tool.none : null}>
        <pre class="raw">{args}</pre>
      </Part>
      <Part title={en.tool.result} note={call.result ? null : waits ? en.tool.noneYet : en.tool.noneRecorded}>
        {call.result && <Result result={call.result} />}
      </Part>
    </>
  );
}

function Part(props: { title: string; note: string | null; children: JSX.Element | undefined }): JSX.Element {
  return (
    <section class="part" role="region" aria-label={props.title}>
      <div class="part-head">
        <h4 class="grow">{props.title}</h4>
        {props.note && <span class="subtle">{props.note}</span>}
      </div>
      {props.note === null && props.children}
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

function Media({ block }: { block: ContentBlock }): JSX.Element | null {
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
      return <p class="shot small subtle">{`${block.title ?? block.name}: ${block.uri}`}</p>;
    case 'resource':
      return block.resource.text === undefined ? (
        <p class="shot small subtle">{block.resource.uri}</p>
      ) : (
        <pre class="raw">{block.resource.text}</pre>
      );
    default:
      return null;
  }
}

/** JSON text indented by two; any other text as it is. */
export function pretty(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : text;
  } catch {
    return text;
  }
}
