import type { JSX } from 'preact';
import { isDrawable } from '../../../lib/types/shown-media.ts';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import type { ContentBlock } from '../../../lib/types/tools/tool-result.ts';
import { lazy } from '../../ui/lazy.tsx';
import './result-pictures.css';
import { t } from '../../../locales/texts/panel.ts';

const Picture = lazy((views) => views.Picture);

/**
 * All pictures that calls brought, seen while the calls' own details are closed: the model is told so (lib/mcp/content). Those
 * that Portside took of an action are for who opens its details.
 */
export function ResultPictures({ calls }: { calls: (ToolCall | undefined)[] }): JSX.Element | null {
  const pictures = calls
    .flatMap((call) => call?.result?.blocks ?? [])
    .flatMap((block) =>
      block.type === 'image' && !block.moment && isDrawable(block.mimeType) ? [block] : [],
    );
  if (pictures.length === 0) return null;
  return (
    <div class={pictures.length > 1 ? 'result-pictures several' : 'result-pictures'}>
      {pictures.map((picture, position) => (
        <Picture key={position} {...picture} />
      ))}
    </div>
  );
}

/** The page before and after an action, side by side. */
export function Moments({ blocks }: { blocks: ContentBlock[] }): JSX.Element | null {
  const pictures = blocks.flatMap((block) =>
    block.type === 'image' && block.moment ? [{ ...block, moment: block.moment }] : [],
  );
  if (pictures.length === 0) return null;
  return (
    <div class="moments">
      {pictures.map(({ moment, ...picture }) => (
        <Picture key={moment} label={t(($) => $.tool.moments[moment])} {...picture} />
      ))}
    </div>
  );
}
