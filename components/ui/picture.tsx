import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { en } from '../../locales/en.ts';
import { visible } from '../../lib/state/shown-text.ts';
import './picture.css';

/** Raster images only: an SVG could load something from elsewhere. */
export const drawable = (mimeType: string): boolean => /^image\/(png|jpeg|gif|webp)$/.test(mimeType);

/** A picture as a server sent it, small, with its type and size. */
export function Picture({ data, mimeType }: { data: string; mimeType: string }): JSX.Element {
  const [size, setSize] = useState<[width: number, height: number] | null>(null);
  const words = size ? en.tool.pictureOf(mimeType, ...size) : en.tool.image(visible(mimeType));
  return (
    <div class="shot">
      {drawable(mimeType) && (
        <img
          src={`data:${mimeType};base64,${data}`}
          alt={en.tool.image(mimeType)}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setSize([naturalWidth, naturalHeight])
          }
        />
      )}
      <p class="small subtle">{words}</p>
    </div>
  );
}
