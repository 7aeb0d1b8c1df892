import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { docx, paragraph, pdf, slowPdf } from '../../files/made.ts';
import { NOTHING, startServer, tryAll } from './inside-reader.ts';
import { openScene, until, type Scene } from '../support/scene.ts';

let scene: Scene;

beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.close());

const panel = () => scene.portside.panel;
const chip = (name: string) =>
  panel()
    .locator('form')
    .getByRole('list', { name: 'Context' })
    .getByRole('listitem')
    .filter({ hasText: name });
const reader = () =>
  panel()
    .frames()
    .find((frame) => frame.url().endsWith('/reader.html'));

async function attach(name: string, content: Uint8Array): Promise<void> {
  await panel().getByRole('button', { name: 'Attach' }).click();
  const choosing = panel().waitForEvent('filechooser');
  await panel().getByRole('listbox', { name: 'Context' }).getByRole('option', { name: 'Files…' }).click();
  await (await choosing).setFiles([{ name, mimeType: '', buffer: Buffer.from(content) }]);
}

const files: [name: string, content: Uint8Array][] = [
  ['a.pdf', pdf([['Two sails at noon']])],
  ['b.docx', docx(paragraph('A sloop'))],
];
const remove = (name: string) =>
  panel()
    .getByRole('button', { name: `Remove ${name}` })
    .click();

it('has an opaque origin by the manifest alone, and no browser API, storage or network', async () => {
  const server = await startServer();
  onTestFinished(() => server.close());
  await panel().evaluate(() => {
    document.body.append(
      Object.assign(document.createElement('iframe'), { src: '/reader.html', id: 'probe' }),
    );
  });
  // A process ends with its last frame, and no frame that reads is to find one that spins.
  onTestFinished(() =>
    panel()
      .locator('#probe')
      .evaluate((probe) => probe.remove()),
  );
  await until('the reader is there', () => reader() !== undefined);
  const frame = reader() ?? panel().mainFrame();
  await frame.waitForLoadState();
  expect(await frame.evaluate(tryAll, server.url)).toEqual(NOTHING);
  // What it knows would go along with an address that it turns to.
  const turning = frame.evaluate((away) => void (location.href = `${away}?secret`), server.url);
  turning.catch(() => undefined); // the document that would answer has gone
  await until('the browser has refused that', () =>
    scene.portside.complaints().some((complaint) => complaint.includes('frame-src')),
  );
  expect(server.asked).toEqual([]);
  scene.portside.expectComplaint(/Content Security Policy|sandboxed|ERR_BLOCKED_BY_CSP/);
});

it('reads each file in a frame of its own, which is gone afterwards', async () => {
  const frames: Frame[] = [];
  panel().on('frameattached', (frame) => frames.push(frame));
  for (const [name, content] of files) {
    await attach(name, content);
    await chip(name).getByRole('button', { name: 'tokens' }).waitFor();
    await remove(name);
  }
  // One more waits for what comes next.
  await until('those are gone', () => frames.filter((frame) => frame.isDetached()).length === files.length);
  expect(frames).toHaveLength(files.length + 1);
});

it('gives up a file that never ends, says so, and reads the next one', async () => {
  // The panel's alone: Playwright's clock is that of every frame, and waits for the one that never ends.
  await panel().evaluate(() => {
    const { setTimeout } = window;
    let isFirst = true;
    const sooner = (act: () => void, ms?: number) => {
      const isLimit = ms === 45_000 && isFirst;
      if (isLimit) isFirst = false;
      return setTimeout(act, isLimit ? 1000 : ms);
    };
    Object.assign(window, { setTimeout: sooner });
  });
  await attach('slow.pdf', slowPdf());
  await attach('next.pdf', pdf([['Two sails at noon']]));
  await chip('slow.pdf').getByText('Reading it took longer than 45 seconds').first().waitFor();
  await chip('next.pdf').getByRole('button', { name: 'tokens' }).waitFor();
  await chip('slow.pdf').getByRole('button', { expanded: false }).click();
  await chip('slow.pdf').getByText('Attach part of it, or save its text in a file').waitFor();
  for (const name of ['slow.pdf', 'next.pdf']) await remove(name);
});
