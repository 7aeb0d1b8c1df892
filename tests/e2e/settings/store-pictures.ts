import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { directionOf } from '../../../lib/types/languages.ts';
import { root } from '../../../scripts/paths.ts';

/** A picture for a store: what it shows, in a window of this size. Chrome, Edge and Firefox want just these. */
export type StorePicture = { html: string; width: number; height: number };

const icon = readFileSync(join(root, 'assets/icon.svg'), 'utf8');

// One colour: a gradient makes a picture three times as large.
const style = `<style>
  body { margin: 0; height: 100vh; display: grid; place-content: center; gap: 40px; color: #fff;
    background: #0b6a72; font: 600 30px/1.3 system-ui, sans-serif }
  header { display: flex; align-items: center; gap: 16px; margin-bottom: 28px; font-size: 44px }
  svg { width: 64px; height: 64px }
  p { margin: 0 }
  iframe { width: 390px; height: 690px; border: 0; border-radius: 16px; background: #fff; box-shadow: 0 2px 8px #0004 }
  .listing { grid-template-columns: 320px 390px 390px; align-items: center }
</style>`;
const brand = `<header>${icon}<span>Portside</span></header>`;

/**
 * Two states of the panel beside what Portside is, 1280 by 800.
 * @param gallery its address
 */
export function listingPicture(gallery: string, language: string): StorePicture {
  const texts = JSON.parse(readFileSync(join(root, `locales/${language}/manifest.json`), 'utf8')) as {
    description: string;
  };
  const frames = ['approval-taint', 'approval-plan'].map(
    (state) => `<iframe src="${gallery}?state=${state}&language=${language}&theme=light"></iframe>`,
  );
  const html = `<html lang="${language}" dir="${directionOf(language)}">${style}<body class="listing">
    <div>${brand}<p>${texts.description}</p></div>${frames.join('')}</body></html>`;
  return { html, width: 1280, height: 800 };
}

/** The name alone, 440 by 280. */
export const tilePicture: StorePicture = {
  html: `<html>${style}<style>header { margin: 0 }</style><body>${brand}</body></html>`,
  width: 440,
  height: 280,
};
