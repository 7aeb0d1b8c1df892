import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { busyWith, inBrowser } from './extension.ts';
import { alternate, type Figure, least, ratioOf } from './figures.ts';

export type ReadingSizes = { characters: number; rounds: number };

const plain = 'The lighthouse keeper wrote down the weather, the ships and the birds of the day. ';
const marked =
  'The lighthouse keeper wrote down the <em>weather</em>, the <a href="/ships">ships</a> and the birds of the day.';

/** An article as they are: chapters of paragraphs with some emphasis, links and a list. */
function article(characters: number): string {
  const paragraph = `<p class="text">${plain.repeat(4)}${marked}</p>`;
  const list = `<ul>${'<li>A sloop, seen at noon</li>'.repeat(5)}</ul>`;
  const chapter = `<h2>A chapter</h2>${paragraph.repeat(9)}${list}`;
  const shown = chapter.replaceAll(/<[^>]*>/g, '').length;
  const chapters = chapter.repeat(Math.ceil(characters / shown));
  return `<!doctype html><html lang="en"><title>The log</title><style>.text { margin: 1em 0 }</style>
    <nav><a href="/">Home</a></nav><main><article><h1>The log</h1>${chapters}</article></main>`;
}

/** What reading a long article costs the page's own thread; what makes Markdown of it runs elsewhere. */
export async function reading({ characters, rounds }: ReadingSizes): Promise<Figure[]> {
  const html = article(characters);
  const site = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(html),
  ).listen(0, '127.0.0.1');
  await once(site, 'listening');
  try {
    return await inBrowser(async ({ context, command }) => {
      const page = await context.newPage();
      const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
      await page.goto(url);
      const tabId = (await command('listTabs')).find((tab) => tab.url === url)?.id ?? -1;
      const length = Number(await page.evaluate('document.body.innerText.length'));
      const works = {
        read: () => command('attachPage', { conversationId: 'bench', part: 'page', tabId }),
        inner: () => page.evaluate('document.body.innerText.length'),
      };
      const cost = (work: () => unknown): Promise<number> => busyWith(page, async () => work());
      const { read, inner } = await alternate(works, rounds, cost, least);
      const name = `an article of ${length} characters on its page’s main thread / its innerText`;
      return [ratioOf(name, read, inner, { target: 3 })];
    });
  } finally {
    site.close();
    site.closeAllConnections();
  }
}
