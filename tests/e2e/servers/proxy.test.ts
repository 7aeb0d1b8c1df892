import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, type ModelServer, startModelServer, stream, text } from '../../fakes/model-server.ts';
import { openPortside, type Portside } from '../support/browser.ts';
import { resultOf } from './everything-scene.ts';
import { addByHand } from '../support/options-page.ts';
import { type RealServer, startProxiedFiles } from './real-servers.ts';
import { type Chat, chatIn, decide, offered, provider } from '../support/scene.ts';

describe('the file server behind mcp-proxy', () => {
  let folder: string;
  let files: RealServer;
  let model: ModelServer;
  let portside: Portside;
  let chat: Chat;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portside-files-'));
    [files, model, portside] = await Promise.all([
      startProxiedFiles(folder),
      startModelServer(),
      openPortside(),
    ]);
    await portside.command('saveProvider', provider(model.url));
    chat = chatIn(portside);
  });
  afterAll(async () => {
    try {
      await portside.close();
    } finally {
      await Promise.all([model.close(), files.kill()]);
      await rm(folder, { recursive: true, force: true });
    }
  });

  /** Has the model call a tool and say `words` to what came of it. */
  async function have(tool: string, args: object, words: string): Promise<void> {
    model.script(
      stream(call({ id: words, name: offered(tool), arguments: JSON.stringify(args) })),
      stream(text(words)),
    );
    await chat.ask(`Use ${tool}`);
  }
  const said = (words: string) => chat.articles('Assistant').getByText(words).waitFor();
  const approval = (tool: string) => portside.panel.getByRole('alertdialog', { name: `Approve ${tool}` });
  const shown = async (tool: string) => resultOf(chat.toolCall(tool).last());

  it('is connected in the modern revision, which has no sessions', async () => {
    await addByHand(portside.options, {
      name: 'Files',
      transport: 'Streamable HTTP',
      url: `http://127.0.0.1:${files.port}/mcp`,
      trusted: true,
    });
    const [listing] = await portside.command('listServers');
    expect(listing).toMatchObject({
      status: { state: 'connected', protocolVersion: '2026-07-28' },
      toolCount: expect.any(Number),
    });
  });

  it('lists and reads without asking: it is trusted, and says that these tools only read', async () => {
    await writeFile(join(folder, 'tides.txt'), 'High water at 19:42');
    await have('list_directory', { path: folder }, 'One file.');
    await said('One file.');
    await (await shown('list_directory')).filter({ hasText: '[FILE] tides.txt' }).waitFor();
    await have('read_text_file', { path: join(folder, 'tides.txt') }, 'At 19:42.');
    await said('At 19:42.');
    await (await shown('read_text_file')).filter({ hasText: 'High water at 19:42' }).waitFor();
    expect(model.requests.at(-1)?.body.messages.at(-1)?.content).toContain('High water at 19:42');
  });

  it('writes only what the user approved', async () => {
    const path = join(folder, 'note.txt');
    await have('write_file', { path, content: 'Gone' }, 'Left alone.');
    await decide(approval('write_file'), 'Deny');
    await said('Left alone.');
    await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' });
    await have('write_file', { path, content: 'Kept' }, 'Written.');
    await decide(approval('write_file'), 'Allow once');
    await said('Written.');
    expect(await readFile(path, 'utf8')).toBe('Kept');
  });

  it('says why it does not read outside its folder', async () => {
    await have('read_text_file', { path: join(tmpdir(), 'elsewhere.txt') }, 'No way in.');
    await said('No way in.');
    await chat.unfold();
    await chat.toolCall('read_text_file').last().getByText('error', { exact: true }).waitFor();
    await (await shown('read_text_file')).filter({ hasText: 'Access denied' }).waitFor();
  });
});
