import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { call, stream, text } from '../../fakes/model-server.ts';
import { startRawServer, UNKNOWN_METHOD } from '../../mcp/raw-server.ts';
import { contentOf, type EverythingScene, type Kind, NAME, resultOf } from './everything-scene.ts';
import { addServer, decide, offered, server, until } from '../support/scene.ts';

/** Calls, and what comes of them. */
export function testCalls(scene: () => EverythingScene, kind: Kind): void {
  const panel = () => scene().portside.panel;

  it('has its tools called, and every kind of result is on the card', async () => {
    const calls: [tool: string, args: object][] = [
      ['get-sum', { a: 2, b: 40 }],
      ['get-env', {}],
      ['get-annotated-message', { messageType: 'success', includeImage: true }],
      ['get-resource-links', { count: 2 }],
      ['get-resource-reference', { resourceType: 'Text', resourceId: 3 }],
      ['get-structured-content', { location: 'Chicago' }],
      ['get-tiny-image', {}],
      ['gzip-file-as-resource', { name: 'a.gz', data: 'data:text/plain,ahoy', outputType: 'resource' }],
    ];
    const parts = calls.map(([tool, args], index) =>
      call({ id: `all${index}`, name: offered(tool), arguments: JSON.stringify(args), index }),
    );
    scene().model.script(stream(...parts), stream(text('All of them.')));
    await scene().ask('Use all of them');
    await scene().articles('Assistant').getByText('All of them.').waitFor();
    const told = scene()
      .model.requests.at(-1)
      ?.body.messages.slice(-calls.length)
      .map(({ content }) => contentOf(content));
    const shown = async (tool: string): Promise<Locator> => resultOf(scene().toolCall(tool));

    await (await shown('get-sum')).filter({ hasText: 'The sum of 2 and 40 is 42.' }).waitFor();
    await (await shown('get-env')).filter({ hasText: 'PORT' }).waitFor();

    const annotated = await shown('get-annotated-message');
    await annotated.filter({ hasText: 'Operation completed successfully' }).waitFor();
    expect(told?.[2]).not.toContain('Operation completed');
    await drawn(annotated.getByRole('img'));

    const links = await shown('get-resource-links');
    expect(scene().heard('resources/read')).toHaveLength(0);
    await links.getByRole('button', { name: 'Fetch Text Resource 2' }).click();
    await links.filter({ hasText: 'Resource 2: This is a plaintext resource' }).waitFor();
    expect(scene().heard('resources/read')).toHaveLength(1);

    const embedded = await shown('get-resource-reference');
    await embedded.filter({ hasText: /text\/plain, \d+ B/ }).waitFor();
    expect(told?.[4]).toContain('Resource 3: This is a plaintext resource');

    const structured = await shown('get-structured-content');
    await structured.filter({ hasText: /humidity.*82/ }).waitFor();
    await structured.getByRole('tab', { name: 'Text' }).click();
    await structured.filter({ hasText: 'Light rain / drizzle' }).waitFor();

    await drawn((await shown('get-tiny-image')).getByRole('img'));
    const packed = await shown('gzip-file-as-resource');
    await packed.filter({ hasText: 'application/gzip' }).waitFor();
    expect(await packed.getByRole('link', { name: 'Save a.gz' }).getAttribute('download')).toBe('a.gz');
  });

  it('reports progress on the card, and is told of a cancel', async () => {
    const finished = await scene().use('trigger-long-running-operation', { duration: 0.2, steps: 2 });
    await finished.getByText('Long running operation completed.').waitFor();

    const card = scene().toolCall('trigger-long-running-operation').last();
    scene().model.script(
      stream(
        call({
          id: 'long',
          name: offered('trigger-long-running-operation'),
          arguments: '{"duration":12,"steps":8}',
        }),
      ),
    );
    await scene().ask('Take long');
    await card.getByText('1 of 8').waitFor();
    await card.getByRole('progressbar', { name: 'trigger-long-running-operation progress' }).waitFor();
    await panel().getByRole('button', { name: 'Stop', exact: true }).click();
    await card.getByText('cancelled').waitFor();
    await until('the server is told', () => scene().heard('notifications/cancelled').length > 0);
    expect(scene().heard('notifications/cancelled').at(-1)?.params?.['requestId']).toBe(
      scene().heard('tools/call').at(-1)?.id,
    );
    await scene().idle();
  });

  it('goes on by itself with what runs as a task, says how far it is, and puts its question before the user', async () => {
    const args = { topic: 'python', ambiguous: true };
    const { card, ended } = await scene().begin('simulate-research-query', args);
    // Its other steps last no longer than a poll is away.
    await card.getByText('Requesting clarification...').waitFor();
    const request = panel().getByRole('form', { name: `Request from ${NAME}` });
    await request.getByRole('combobox').selectOption('Python snake species');
    await decide(request, 'Submit');
    await ended();
    await (await resultOf(card)).getByText('Research Report: python (snake)').first().waitFor();
    expect(scene().told()).toContain('# Research Report: python (snake)');
    if (kind === 'sse') return; // a Stop is the same

    scene().model.script(
      stream(call({ id: 'task', name: offered('simulate-research-query'), arguments: JSON.stringify(args) })),
    );
    await scene().ask('Research it again');
    const stopped = scene().toolCall('simulate-research-query').last();
    await request.waitFor();
    await panel().getByRole('button', { name: 'Stop', exact: true }).click();
    await stopped.getByText('cancelled').waitFor();
    await request.waitFor({ state: 'detached' });
    await until('the server is told', () => scene().heard('tasks/cancel').length > 0);
    await scene().idle();
  });

  if (kind === 'sse') return; // what is on the screen is the same

  it('a sound, which the reference server has none of, can be played', async () => {
    const url = await startRawServer(({ method }) => {
      if (method === 'tools/list')
        return { result: { tools: [{ name: 'sound', inputSchema: { type: 'object' } }] } };
      if (method !== 'tools/call') return UNKNOWN_METHOD;
      return { result: { content: [{ type: 'audio', data: silence(), mimeType: 'audio/wav' }] } };
    });
    const id = await addServer(scene().portside, server(url, { name: 'Sounds' }));
    await scene().portside.command('setTool', { serverId: id, name: 'sound', permission: 'allow' });
    scene().model.script(
      stream(call({ id: 'sound', name: `mcp__${id}__sound`, arguments: '{}' })),
      stream(text('Listen.')),
    );
    // What one server said would have an allowed tool of another asked about.
    await scene().portside.panel.getByRole('button', { name: 'New chat' }).click();
    await scene().ask('Make a sound');
    await scene().articles('Assistant').getByText('Listen.').waitFor();
    const audio = (await resultOf(scene().toolCall('sound'))).getByLabel('Audio, audio/wav');
    const played = await audio.evaluate(
      (element) =>
        new Promise<number>((resolve, reject) => {
          if (!(element instanceof HTMLAudioElement)) return reject(new Error('There is no player.'));
          element.addEventListener('ended', () => resolve(element.duration));
          element.play().catch(reject);
        }),
    );
    expect(played).toBeCloseTo(0.1, 1);
    await scene().portside.panel.getByRole('button', { name: 'New chat' }).click();
    await scene().portside.command('removeServer', { id });
  });
}

/** Resolves when a picture is there and drawn. */
async function drawn(image: Locator): Promise<void> {
  await until('the picture is drawn', () =>
    image.evaluate((element) => element instanceof HTMLImageElement && element.naturalWidth > 0),
  );
}

/** A tenth of a second of it, as a WAV file in base64. */
function silence(): string {
  const samples = 800;
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples, 40);
  return Buffer.concat([head, Buffer.alloc(samples, 128)]).toString('base64');
}
