import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Of, tinyGguf } from '../../fakes/tiny-gguf.ts';
import { openPortside, type Portside } from '../support/browser.ts';

const WEIGHTS = tinyGguf();
const HALF = Math.floor(WEIGHTS.length / 2);

describe('a model in Portside', () => {
  let portside: Portside;
  let server: Server;
  let address = '';
  /** What was asked for, of the whole file or from its middle on. */
  const ranges: string[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      const { range = '' } = request.headers;
      ranges.push(range);
      const [, from = '0', to = String(WEIGHTS.length - 1)] = /^bytes=(\d+)-(\d+)?$/.exec(range) ?? [];
      const part = WEIGHTS.subarray(Number(from), Number(to) + 1);
      response.writeHead(206, {
        'content-length': part.length,
        'content-range': `bytes ${from}-${to}/${WEIGHTS.length}`,
      });
      // All of it comes half only.
      if (range === 'bytes=0-') response.write(part.subarray(0, HALF));
      else response.end(part);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tiny.gguf`;
    portside = await openPortside();
  });
  afterAll(async () => {
    server?.closeAllConnections();
    server?.close();
    await portside?.close();
  });

  it('is offered where there is no other, downloaded with a pause, and answers', async () => {
    const { options, panel } = portside;
    await panel.getByRole('button', { name: 'Run a model in Portside' }).waitFor();
    await options.goto(options.url().replace(/#.*|$/, '#models/add/gguf'));
    await options.getByRole('textbox', { name: 'Address of a GGUF file' }).fill(address);
    await options.getByRole('button', { name: 'Look up' }).click();
    const offer = options.getByRole('group', { name: 'tiny' });
    await offer.getByText('licence: mit').waitFor();
    await offer.getByText(address).waitFor();
    expect(ranges).toEqual(['bytes=0-131071']);

    await offer.getByRole('textbox', { name: 'SHA-256 (optional)' }).fill(sha256Of(WEIGHTS));
    await offer.getByRole('button', { name: 'Download' }).click();
    const row = options.getByRole('listitem', { name: 'tiny' });
    await row.getByText(/^(49|50)% of /).waitFor();
    await row.getByRole('button', { name: 'Pause' }).click();
    await row.getByText(/^Paused at (49|50)%$/).waitFor();
    await options.reload();
    await row.getByRole('button', { name: 'Resume' }).click();
    await row.getByRole('button', { name: 'Use tiny' }).click();
    expect(ranges.slice(1)).toEqual(['bytes=0-', `bytes=${HALF}-`]);
    await panel.getByRole('combobox', { name: 'Model' }).filter({ hasText: 'tiny' }).waitFor();
    await panel.getByText('Stays on this computer').waitFor();
    await panel.getByRole('textbox', { name: 'Message' }).fill('Hi');
    await panel.keyboard.press('Enter');
    await panel
      .getByRole('article', { name: 'Assistant' })
      .getByText('Hello from the tiny model.')
      .waitFor({ timeout: 30_000 });
    expect(portside.complaints()).toEqual([]);
  });

  it('comes from a file, is removed, and what is no model is not taken', async () => {
    const { options, panel } = portside;
    const files = options.locator('input[type=file]');
    await options.goto(options.url().replace(/#.*|$/, '#models/add/gguf'));
    await files.setInputFiles({ name: 'notes.gguf', mimeType: '', buffer: Buffer.from('No weights.') });
    await options.getByText('This is not a GGUF file.').waitFor();
    await files.setInputFiles({ name: 'mine.gguf', mimeType: '', buffer: Buffer.from(WEIGHTS) });
    const row = options.getByRole('listitem', { name: 'mine' });
    await row.getByText(`SHA-256: ${sha256Of(WEIGHTS)}`).waitFor();

    const tiny = options.getByRole('listitem', { name: 'tiny' });
    await tiny.getByRole('button', { name: 'Remove tiny' }).click();
    await tiny.getByRole('button', { name: 'Remove' }).click();
    await tiny.waitFor({ state: 'detached' });
    await panel.getByRole('textbox', { name: 'Message' }).fill('And now?');
    await panel.keyboard.press('Enter');
    await panel.getByText('This model’s weights are not in Portside any more.').waitFor();
    expect(portside.complaints()).toEqual([]);
  });
});
