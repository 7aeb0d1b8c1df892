import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readChats } from '../../lib/import/read-chats.ts';
import { inBrowser, openMeter } from './extension.ts';
import { alternate, type Figure, least, wallOf } from './figures.ts';

/**
 * Reading the chats out of an export of ChatGPT, up to what the worker is told, against a JSON.parse of the same text,
 * which holds all of it at once and says nothing until its end.
 */
export async function importing({
  chats,
  messages,
  rounds,
}: {
  chats: number;
  messages: number;
  rounds: number;
}): Promise<Figure[]> {
  const text = JSON.stringify(Array.from({ length: chats }, (_, at) => chatOf(`c${at}`, messages)));
  const file = new Blob([text]);
  const ms = await alternate(
    {
      read: async () => {
        let found = 0;
        for await (const { type } of readChats(file, new Date().toISOString()))
          found += Number(type === 'chat');
        if (found !== chats) throw new Error(`The import found ${found} chats.`);
      },
      parse: async () => JSON.parse(await file.text()),
    },
    rounds,
    wallOf,
    least,
  );
  const speed = (each: number): string => `${(file.size / 1000 / each).toFixed(0)} MB/s`;
  return [
    {
      name: `import of ${chats} chats / JSON.parse`,
      value: ms.read / ms.parse,
      unit: 'x',
      target: 5,
      detail: `${speed(ms.read)} / ${speed(ms.parse)}, ${(file.size / 1_000_000).toFixed(1)} MB`,
    },
  ];
}

/** What the pages hold while an export of so many megabytes is imported, looked at every second of the first `seconds`. */
export async function importHeap(sizes: { megabytes: number; seconds: number }): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'portside-import-'));
  try {
    const path = join(folder, 'conversations.json');
    await writeExport(path, sizes.megabytes * 1_000_000);
    return await inBrowser(async ({ options, open: openPage }) => {
      await openPage('sidepanel.html');
      const meter = await openMeter(options); // the panel is in the same process, and shares its memory
      await options.evaluate("location.hash = '#data'");
      const button = options.getByRole('button', { name: 'Import', exact: true });
      const [chooser] = await Promise.all([options.waitForEvent('filechooser'), button.click()]);
      const before = await meter.memory();
      await chooser.setFiles(path);
      const during: number[] = [];
      for (let at = 0; at < sizes.seconds; at++) {
        await new Promise((resolve) => setTimeout(resolve, 1000));
        during.push(await meter.memory());
      }
      const most = Math.max(...during);
      return [
        {
          name: `memory of panel and settings while ${sizes.megabytes} MB are imported / before`,
          value: most / before,
          unit: 'x',
          detail: `${(most / 1e6).toFixed(1)} / ${(before / 1e6).toFixed(1)} MB, objects of JavaScript, in ${sizes.seconds} s of it`,
        },
      ];
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function writeExport(path: string, bytes: number): Promise<void> {
  const file = await open(path, 'w');
  let size = 0;
  await file.write('[');
  for (let at = 0; size < bytes; at++) {
    const { bytesWritten } = await file.write(
      `${at === 0 ? '' : ','}${JSON.stringify(chatOf(`c${at}`, 40))}`,
    );
    size += bytesWritten;
  }
  await file.write(']');
  await file.close();
}

/** As ChatGPT exports it: what is said takes less room than what is said of it. */
function chatOf(id: string, count: number): unknown {
  const mapping: Record<string, unknown> = {};
  for (let at = 0; at < count; at++) {
    const role = at % 2 === 0 ? 'user' : 'assistant';
    const words = `Message ${at} of "${id}": ${'the tide turns at noon, as ever. '.repeat(at % 2 === 0 ? 3 : 40)}`;
    mapping[`${id}-${at}`] = {
      id: `${id}-${at}`,
      parent: at === 0 ? null : `${id}-${at - 1}`,
      children: at + 1 < count ? [`${id}-${at + 1}`] : [],
      message: {
        id: `${id}-${at}`,
        author: { role, name: null, metadata: {} },
        create_time: 1_756_000_000.123456 + at,
        update_time: null,
        content: { content_type: 'text', parts: [words] },
        status: 'finished_successfully',
        end_turn: role === 'assistant' ? true : null,
        weight: 1,
        metadata: {
          model_slug: 'gpt-5',
          request_id: id,
          is_complete: true,
          citations: [],
          content_references: [],
        },
        recipient: 'all',
        channel: null,
      },
    };
  }
  return {
    id,
    conversation_id: id,
    title: id,
    create_time: 1,
    update_time: 2,
    current_node: `${id}-${count - 1}`,
    mapping,
  };
}
