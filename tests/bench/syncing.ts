import { startS3, startWebdav, type StoreServer } from '../fakes/stores.ts';
import { type Bench, inBrowser } from './extension.ts';
import { type Figure, wallOf } from './figures.ts';

const PASSPHRASE = 'correct horse battery';
const WORDS = 'the tide turns at noon, as ever. '.repeat(30);

/** A first sync, by a real WebDAV server and a real S3 server on this computer: what one writes, and another reads. */
export async function syncing({ chats, messages }: { chats: number; messages: number }): Promise<Figure[]> {
  const stores = { WebDAV: await startWebdav(), S3: await startS3() };
  try {
    const wrote: Record<string, number> = {};
    const imported = await inBrowser(async (bench) => {
      const ms = await wallOf(() => importMany(bench, chats, messages));
      for (const [name, store] of Object.entries(stores)) wrote[name] = await syncOnce(bench, store);
      return ms;
    });
    const figures: Figure[] = [];
    for (const [name, store] of Object.entries(stores)) {
      const read = await inBrowser((bench) => syncOnce(bench, store));
      for (const [verb, ms] of [
        ['writes', wrote[name] ?? Number.NaN],
        ['reads', read],
      ] as const)
        figures.push({
          name: `a first sync by ${name} ${verb} ${chats * messages} messages`,
          value: ms,
          unit: 'ms',
          target: 60_000,
          detail: `${((chats * messages) / (ms / 1000)).toFixed(0)} messages/s, ${(ms / imported).toFixed(2)} times importing them`,
        });
    }
    return figures;
  } finally {
    await Promise.all(Object.values(stores).map(({ close }) => close()));
  }
}

async function importMany({ command }: Bench, chats: number, messages: number): Promise<void> {
  for (let at = 0; at < chats; at++) {
    const chat = {
      title: `Chat ${at}`,
      messages: Array.from({ length: messages }, (_, place) => ({
        role: place % 2 ? 'assistant' : 'user',
        content: `Message ${place} of chat ${at}: ${WORDS}`,
      })),
    };
    await command('importChats', { chats: [chat] });
  }
}

/** Milliseconds from the end of the set-up, which takes long on purpose, to the end of the sync. It is removed again. */
async function syncOnce({ options, command }: Bench, { place, password }: StoreServer): Promise<number> {
  await options.evaluate("location.hash = '#data'");
  const { fault } = await command('setUpSync', { place, password, passphrase: PASSPHRASE });
  if (fault) throw new Error(`It could not be set up: ${fault.code}`);
  const ms = await wallOf(() => options.getByText(/^Last synced: /).waitFor({ timeout: 600_000 }));
  await command('removeSync');
  return ms;
}
