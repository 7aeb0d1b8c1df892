import type { IconNode } from 'lucide';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Icon as Given } from '../../lib/types/picture.ts';
import { Icon } from './icon.tsx';
import { isDrawn } from './pixels.ts';

const SHOWN = /^data:image\/(png|jpeg|gif|webp);base64,([A-Za-z0-9+/=]+)$/;

/** Far more than 16 px need on any screen. */
const MOST_PIXELS = 1_000_000;

/** The icon that a server gives itself or a part of its offer, else ours. */
export function GivenIcon(props: { icons: Given[] | undefined; otherwise: IconNode }): JSX.Element {
  const { icons, otherwise } = props;
  const shown = useMemo(
    () => icons?.find(({ src }) => isDrawn(SHOWN.exec(src)?.[2] ?? '', MOST_PIXELS)),
    [icons],
  );
  return shown ? <img class="i" src={shown.src} alt="" decoding="async" /> : <Icon of={otherwise} />;
}
