import { isProbablyReaderable, Readability } from '@mozilla/readability';
import type { FrameReading } from '../../../types/page.ts';
import { toMarkdown } from './markdown.ts';

/** Longer addresses are left out: a model has no use for them. */
const LONGEST_LINK = 500;
/** Characters that an article has at least. */
const SHORTEST = 500;
/** An article that is less of what is seen than this is something else: one post of many, a note on an app. */
const LEAST_SHARE = 0.3;

/** The readable article of a page as Markdown; where it holds none, all that is seen of it. */
export function readArticle({ html, title, base }: Pick<FrameReading, 'html' | 'title' | 'base'>): {
  text: string;
  isArticle: boolean;
} {
  const page = parsed(html, base, title);
  const all = page.body.textContent.length;
  // Readability takes what it reads apart.
  const article = isProbablyReaderable(page) ? articleOf(parsed(html, base, title)) : null;
  const length = article?.textContent.length ?? 0;
  const isArticle = article !== null && length >= SHORTEST && length >= LEAST_SHARE * all;
  return { text: toMarkdown(isArticle ? article : page.body), isArticle };
}

/** Nothing in it is run, loaded or shown. @param base what its links are relative to */
export function parsed(html: string, base: string, title?: string): Document {
  const page = new DOMParser().parseFromString(html, 'text/html');
  if (title !== undefined) page.title = title;
  for (const link of page.querySelectorAll('a[href]')) {
    const target = link.getAttribute('href') ?? '';
    const href = URL.canParse(target, base) ? new URL(target, base).href : '';
    if (/^(https?|mailto):/.test(href) && href.length <= LONGEST_LINK) link.setAttribute('href', href);
    else link.removeAttribute('href');
  }
  return page;
}

function articleOf(page: Document): HTMLElement | null {
  const heading = page.querySelector('h1')?.textContent.trim();
  const options = { serializer: (node: Node) => node, charThreshold: SHORTEST, keepClasses: true };
  const article = new Readability<Node>(page, options).parse();
  const content = article?.content;
  if (!(content instanceof HTMLElement)) return null;
  if (!heading || content.querySelector('h1')) return content;
  // It makes a lesser one of the heading, or leaves it out where it says what the title does.
  const lesser = [...content.querySelectorAll('h2')].find((each) => each.textContent.trim() === heading);
  if (lesser) lesser.replaceWith(headingOf(page, heading));
  else content.prepend(headingOf(page, heading));
  return content;
}

function headingOf(page: Document, text: string): HTMLElement {
  const heading = page.createElement('h1');
  heading.textContent = text;
  return heading;
}
