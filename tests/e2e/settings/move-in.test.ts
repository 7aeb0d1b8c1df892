import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { zip } from '../../files/made.ts';
import { openScene, type Scene } from '../support/scene.ts';

let scene: Scene;
let page: Page;

beforeAll(async () => {
  scene = await openScene();
  page = scene.portside.options;
  await page.evaluate("location.hash = '#data'");
});
afterAll(() => scene.close());

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A node of a ChatGPT export, where everything follows what its id says. */
const node = (id: string, parent: string | null, role: string, ...parts: unknown[]) => ({
  id,
  parent,
  children: [],
  message: {
    id,
    author: { role },
    create_time: 1_756_000_000,
    content: { content_type: 'multimodal_text', parts },
    recipient: 'all',
    metadata: {},
  },
});

const chat = (id: string, title: string, nodes: ReturnType<typeof node>[], current_node: string) => ({
  conversation_id: id,
  title,
  create_time: 1_756_000_000,
  update_time: 1_756_000_400,
  current_node,
  mapping: Object.fromEntries(nodes.map((each) => [each.id, each])),
});

async function choose(name: string, buffer: Buffer): Promise<void> {
  const button = page.getByRole('button', { name: 'Import', exact: true });
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button.click()]);
  await chooser.setFiles({ name, mimeType: 'application/zip', buffer });
}

describe('who moves in from ChatGPT', () => {
  it('imports the archive, twice without doubles, and finds a chat with its branches and pictures', async () => {
    const pointer = { content_type: 'image_asset_pointer', asset_pointer: 'sediment://file_0a' };
    const gone = { content_type: 'image_asset_pointer', asset_pointer: 'sediment://file_gone' };
    const harbour = chat(
      'c1',
      'Harbour plan',
      [
        node('u1', null, 'user', pointer, gone, 'Which harbour is this?'),
        node('a1', 'u1', 'assistant', 'It is Lisbon.'),
        node('a2', 'u1', 'assistant', 'It is Porto.'),
      ],
      'a2',
    );
    const others = Array.from({ length: 20 }, (_, at) =>
      chat(`d${at}`, `Other ${at}`, [node(`o${at}`, null, 'user', 'Ahoy')], `o${at}`),
    );
    const conversations = JSON.stringify([harbour, { title: 'Broken one' }, ...others]);
    const archive = zip([
      ['conversations.json', conversations],
      ['user.json', '{}'],
      ['file_0a-sanitized.png', Buffer.from(PIXEL, 'base64')],
    ]);
    await choose('export.zip', Buffer.from(archive));
    await page.getByText('21 chats added, 1 left out:').waitFor();
    await page.getByText('Broken one: It is no chat that Portside can read.').waitFor();
    await page.getByText(/^Not in the file.*: images: 1$/).waitFor();
    await choose('export.zip', Buffer.from(archive));
    await page.getByText('0 chats added, 21 already here, 1 left out:').waitFor();

    const { panel } = scene.portside;
    await panel.getByRole('button', { name: 'History' }).click();
    await panel.getByRole('searchbox').fill('Porto');
    await panel.getByRole('link', { name: /Porto/ }).click();
    await scene.articles('Assistant').getByText('It is Porto.').waitFor();
    await scene.articles('You').getByText('file_0a').waitFor();
    await panel.getByRole('button', { name: 'Previous version' }).click();
    await scene.articles('Assistant').getByText('It is Lisbon.').waitFor();
  });

  it('stops where Cancel is pressed, and goes on there when the file is chosen again', async () => {
    const many = Array.from({ length: 1500 }, (_, at) =>
      chat(`m${at}`, `Many ${at}`, [node(`n${at}`, null, 'user', 'Ahoy')], `n${at}`),
    );
    const archive = Buffer.from(zip([['conversations.json', JSON.stringify(many)]]));
    // What holds nothing but what is no chat stops as well.
    const none = Buffer.from(`[${'[],'.repeat(4_000_000)}[]]`);
    await choose('none.zip', Buffer.from(zip([['conversations.json', none]], { packed: true })));
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('Stopped: 0 chats added.').waitFor();
    await choose('many.zip', archive);
    await page.getByRole('progressbar', { name: 'Import progress' }).waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    const stopped = page.getByText(/^Stopped: .* Choose the file again to go on\.$/);
    await stopped.waitFor();
    const added = Number(
      /([\d,]+) chats? added/.exec((await stopped.textContent()) ?? '')?.[1]?.replace(',', ''),
    );
    expect(added).toBeLessThan(1500);
    await choose('many.zip', archive);
    await page.getByText(/^[\d,]+ chats? added, [\d,]+ already here\.$/).waitFor();
    const { count } = await scene.portside.command('listConversations', {});
    expect(count).toBe(1521);
  });
});
