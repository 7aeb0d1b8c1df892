import type { JSX } from 'preact';
import type { ToolCall } from '../../lib/types/tool.ts';
import { drawable } from '../ui/drawable.ts';
import { lazy } from '../ui/lazy.tsx';
import './result-pictures.css';
import { t } from '../../locales/texts/panel.ts';

const Picture = lazy(async () => (await import('../ui/picture.tsx')).Picture);

/** So many are shown; the rest stands with the calls' details. */
const MOST = 4;

/** The pictures that calls brought, seen while the calls' own details are closed. */
export function ResultPictures({ calls }: { calls: (ToolCall | undefined)[] }): JSX.Element | null {
  const pictures = calls
    .flatMap((call) => call?.result?.blocks ?? [])
    .flatMap((block) => (block.type === 'image' && drawable(block.mimeType) ? [block] : []));
  if (pictures.length === 0) return null;
  return (
    <div class="result-pictures">
      {pictures.slice(0, MOST).map((picture, position) => (
        <Picture key={position} {...picture} />
      ))}
      {pictures.length > MOST && (
        <p class="small subtle">{t(($) => $.tool.morePictures, { count: pictures.length - MOST })}</p>
      )}
    </div>
  );
}
