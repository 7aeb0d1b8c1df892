import { Maximize2 } from 'lucide';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { visible } from '../../lib/state/shown-text.ts';
import { isDrawable } from '../../lib/types/shown-media.ts';
import { Modal } from './overlay/modal.tsx';
import { IconButton } from './icon-button.tsx';
import { dimensionsOf } from './pixels.ts';
import './picture.css';
import { t } from '../../locales/texts/panel.ts';
import { units } from '../../locales/units.ts';

/** Bytes that so much base64 holds. */
export const sizeOfBase64 = (base64: string): number =>
  Math.floor((base64.replace(/={1,2}$/, '').length * 3) / 4);

/** As many as a camera's have. Forty of such in one result are drawn in seconds; a file of 31 kB may have ten times as many. */
const MOST_PIXELS = 25_000_000;

/** A picture as a server sent it, small, with its type and size or with what it shows, and a way to see it whole. */
export function Picture(props: { data: string; mimeType: string; label?: string }): JSX.Element {
  const { data, mimeType, label } = props;
  const size = useMemo(() => dimensionsOf(data), [data]);
  const [isShown, setShown] = useState(false);
  const [open, setOpen] = useState(false);
  const described = size
    ? t(($) => $.tool.pictureOf, {
        mimeType: visible(mimeType),
        ...size,
        size: units.bytes(sizeOfBase64(data)),
      })
    : t(($) => $.tool.image, { mimeType: visible(mimeType) });
  const words = label ?? described;
  const alt = label ?? t(($) => $.tool.image, { mimeType });
  const src = `data:${mimeType};base64,${data}`;
  return (
    <div class="shot">
      {isDrawable(mimeType) && size && size.width * size.height <= MOST_PIXELS && (
        <img
          src={src}
          alt={alt}
          loading="lazy"
          decoding="async"
          onLoad={() => setShown(true)}
          // For the pointer alone: the button beside it is what keys and screen readers reach.
          onClick={isShown ? () => setOpen(true) : undefined}
        />
      )}
      <div class="shot-words">
        <p class="small subtle">{words}</p>
        {isShown && (
          <IconButton
            icon={Maximize2}
            small
            label={t(($) => $.card.openImage)}
            onClick={() => setOpen(true)}
          />
        )}
      </div>
      {open && (
        <Modal title={words} closeName={t(($) => $.card.closeImage)} close={() => setOpen(false)}>
          <div class="whole-picture" tabIndex={0}>
            <img src={src} alt={alt} />
          </div>
        </Modal>
      )}
    </div>
  );
}
