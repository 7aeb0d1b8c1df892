import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Of, tinyGguf } from '../../fakes/tiny-gguf.ts';
import { readRows } from '../support/rows.ts';
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
      // One that knows no parts.
      if (request.url === '/whole.gguf') {
        response.writeHead(200, { 'content-length': WEIGHTS.length }).end(WEIGHTS);
        return;
      }
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
    const calls = await readRows(options, 'toolCalls');
    expect(calls.at(-1)).toMatchObject({ toolName: 'current_time', status: 'success' });
    expect(portside.complaints()).toEqual([]);
  });

  it('is not kept where its checksum is another one', async () => {
    const { options } = portside;
    await options.goto(options.url().replace(/#.*|$/, '#models/add/gguf'));
    await options
      .getByRole('textbox', { name: 'Address of a GGUF file' })
      .fill(address.replace('tiny', 'whole'));
    await options.getByRole('button', { name: 'Look up' }).click();
    const offer = options.getByRole('group', { name: 'whole' });
    await offer.getByRole('textbox', { name: 'SHA-256 (optional)' }).fill('0'.repeat(64));
    await offer.getByRole('button', { name: 'Download' }).click();
    const fault = options.getByRole('alert').filter({ hasText: 'The checksum is another one' });
    await fault.getByText(sha256Of(WEIGHTS)).waitFor();
    await options.getByRole('listitem', { name: 'whole' }).getByText('Paused at 0%').waitFor();
  });

  it('comes from a file in a fresh profile without a network, is removed, and what is no model says so', async () => {
    await portside.uninstall();
    await portside.install();
    await portside.context.setOffline(true);
    const { options, panel } = portside;
    const row = (name: string) => options.getByRole('listitem', { name });
    const add = async (name: string, buffer: Buffer): Promise<void> => {
      await options.goto(options.url().replace(/#.*|$/, '#models/add/gguf'));
      await options.locator('input[type=file]').setInputFiles({ name: `${name}.gguf`, mimeType: '', buffer });
    };
    const use = async (name: string, question: string): Promise<void> => {
      await row(name)
        .getByRole('button', { name: `Use ${name}` })
        .click();
      await panel.getByRole('combobox', { name: 'Model' }).filter({ hasText: name }).waitFor();
      await ask(question);
    };
    const ask = async (question: string): Promise<void> => {
      await panel.getByRole('textbox', { name: 'Message' }).fill(question);
      await panel.keyboard.press('Enter');
    };
    await add('notes', Buffer.from('No weights.'));
    await options.getByText('This is not a GGUF file.').waitFor();

    await panel.getByRole('button', { name: 'New chat' }).click();
    await add('broken', Buffer.from(WEIGHTS.subarray(0, HALF)));
    await use('broken', 'Are you there?');
    await panel.getByText('Portside can’t load this model.').waitFor();

    await panel.getByRole('button', { name: 'New chat' }).click();
    await add('mine', Buffer.from(WEIGHTS));
    await use('mine', 'Hi');
    await panel
      .getByRole('article', { name: 'Assistant' })
      .getByText('Hello from the tiny model.')
      .waitFor({ timeout: 30_000 });

    await add('notes', Buffer.from('No weights.'));
    await row('mine').getByRole('button', { name: 'Remove mine' }).click();
    await row('mine').getByRole('button', { name: 'Remove' }).click();
    await row('mine').waitFor({ state: 'detached' });
    await ask('And now?');
    await panel.getByText('This model’s weights are not in Portside any more.').waitFor();
    expect(portside.complaints()).toEqual([]);
  });
});
