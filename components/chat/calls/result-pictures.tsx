import type { JSX } from 'preact';
import { isDrawable } from '../../../lib/types/shown-media.ts';
import type { ToolCall } from '../../../lib/types/tool.ts';
import { lazy } from '../../ui/lazy.tsx';
import './result-pictures.css';

const Picture = lazy((views) => views.Picture);

/** All pictures that calls brought, seen while the calls' own details are closed: the model is told so (lib/mcp/content). */
export function ResultPictures({ calls }: { calls: (ToolCall | undefined)[] }): JSX.Element | null {
  const pictures = calls
    .flatMap((call) => call?.result?.blocks ?? [])
    .flatMap((block) => (block.type === 'image' && isDrawable(block.mimeType) ? [block] : []));
  if (pictures.length === 0) return null;
  return (
    <div class={pictures.length > 1 ? 'result-pictures several' : 'result-pictures'}>
      {pictures.map((picture, position) => (
        <Picture key={position} {...picture} />
      ))}
    </div>
  );
}
