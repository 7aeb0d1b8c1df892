import type { IconNode } from 'lucide';
import type { JSX } from 'preact';
import type { Icon as Given } from '../../lib/types/picture.ts';
import { Icon } from './icon.tsx';

/** Raster pictures that came with the server's words: any other would be loaded from elsewhere. */
const SHOWN = /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/;

/** The icon that a server gives itself or a part of its offer, else ours. */
export function GivenIcon(props: { icons: Given[] | undefined; otherwise: IconNode }): JSX.Element {
  const shown = props.icons?.find(({ src }) => SHOWN.test(src));
  return shown ? <img class="i" src={shown.src} alt="" /> : <Icon of={props.otherwise} />;
}
