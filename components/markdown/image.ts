import type { Ink } from './ink.ts';
import { addressOf } from './link.ts';
import { t } from '../../locales/texts/panel.ts';

/** Raster images only: an SVG could load something from elsewhere. See cut.ts for how long one may be. */
const inside = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/;

/**
 * An image from elsewhere is a button that says what it is and where it would come from, and loads on a click: its
 * address could carry off what the model knows. One inside the text is shown.
 */
export function drawImage(alt: string, href: string, into: Element, ink: Ink): void {
  const url = addressOf(href);
  const say = (words: string): void => into.append(words);
  if (into.closest('a') || (!inside.test(href) && url?.protocol !== 'https:')) {
    if (url?.protocol === 'http:')
      return say(t(($) => $.markdown.insecureImage, { alt: alt || 'none', host: url.host }));
    return say(`${alt === '' ? t(($) => $.markdown.image) : alt}${url ? ` (${url.host})` : ''}`);
  }
  const slot = document.createElement('span');
  into.append(slot);
  ink.after.push(() => slot.replaceWith(url ? remote(alt, url) : picture(alt, href)));
}

function picture(alt: string, src: string): HTMLImageElement {
  const image = document.createElement('img');
  image.alt = alt;
  image.decoding = 'async';
  image.referrerPolicy = 'no-referrer';
  image.src = src;
  return image;
}

function remote(alt: string, url: URL): HTMLButtonElement {
  const button = document.createElement('button');
  button.className = 'btn s remote-image';
  button.title = url.href;
  button.ariaLabel = t(($) => $.markdown.showImage, { alt: alt || 'none', host: url.host });
  for (const words of [t(($) => $.markdown.showImage, { alt: 'none', host: url.host }), alt]) {
    const line = document.createElement('span');
    line.textContent = words;
    button.append(line);
  }
  button.addEventListener('click', () => {
    const image = picture(alt, url.href);
    image.addEventListener('error', () =>
      image.replaceWith(String(t(($) => $.markdown.imageFailed, { alt: alt || 'none', host: url.host }))),
    );
    button.replaceWith(image);
  });
  return button;
}
