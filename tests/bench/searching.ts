import { inBrowser } from './extension.ts';
import { type Figure, median, ratioOf } from './figures.ts';
import type { Bare } from './page/bare.ts';

declare const bare: Bare;

export type SearchingSizes = { many: number; few: number; rounds: number };

const QUERIES = {
  'one word': ['session', 'quest', 'w1'],
  'two words': ['session token', 'answer mod', 'header w1'],
};

/** The first page of hits of a search over very many messages, against the same over few, in a real browser’s database. */
export function searching({ many, few, rounds }: SearchingSizes): Promise<Figure[]> {
  return inBrowser(async (bench) => {
    const page = await bench.open('bench/bare.html');
    for (const count of [few, many]) {
      // So many chats as people have, of a thousand messages each at the most.
      for (let at = 0; at < count; at += 1000) {
        const size = Math.min(1000, count - at);
        const time = Date.now() - (at / 1000) * 3_600_000;
        await page.evaluate(([name, id, messages, last]) => bare.fill(name, id, messages, last, true), [
          `bench-${count}`,
          `chat${at / 1000}`,
          size,
          time,
        ] as const);
      }
    }
    const msOf = async (count: number, text: string) => {
      const name = `bench-${count}`;
      const { ms, hits } = await page.evaluate(([db, words, times]) => bare.search(db, words, times), [
        name,
        text,
        rounds + 1,
      ] as const);
      return { ms: median(ms.slice(1)), hits };
    };
    const figures: Figure[] = [];
    for (const [kind, texts] of Object.entries(QUERIES)) {
      for (const text of texts) {
        const [own, other] = [await msOf(many, text), await msOf(few, text)];
        const name = `a search of ${kind} over ${many} messages / over ${few}: ${text}`;
        figures.push(
          ratioOf(name, own.ms, other.ms, { target: 2, how: `${own.hits} and ${other.hits} hits` }),
        );
      }
    }
    return figures;
  });
}
