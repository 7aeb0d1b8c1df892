import type { AttachmentSource } from '../lib/types/attachment.ts';
import type { PagePart } from '../lib/types/page.ts';

type PageSource = Extract<AttachmentSource, { type: 'page' }>;

const parts: Record<PagePart, string> = {
  page: 'Page',
  selection: 'Selection',
  field: 'Form field',
  screenshot: 'Screenshot',
  image: 'Picture',
  link: 'Link',
};

/** The menu of what can be attached of pages, the chips of it, and what is asked when Portside may not read one. */
export const pages = {
  pages: {
    front: 'This page',
    tabs: 'Open tabs',
    parts: {
      page: 'This page',
      selection: 'Selection',
      screenshot: 'Screenshot',
      field: 'Form field',
      image: 'Picture',
      link: 'Link',
    } satisfies Record<PagePart, string>,
    /** What stands in the place of a saved prompt's variables, by what goes along with it. */
    variables: {
      page: { page: 'the attached page' },
      selection: { selection: 'the attached text' },
      field: { selection: 'the attached text' },
      screenshot: {},
      image: {},
      link: {},
    } satisfies Record<PagePart, Record<string, string>>,
    does: {
      page: 'The page’s text',
      selection: 'The selected text',
      screenshot: 'The visible part',
      field: 'Text in the focused field',
    },
    names: 'Show open tabs…',
    namesSub: 'The browser asks whether Portside may see their names',
    untitled: 'A tab',
    from: ({ part, url, at }: PageSource): string => `${parts[part]}, ${url}, ${timeOf(at)}`,
    titled: (part: PagePart, title: string): string => (part === 'page' ? title : `${parts[part]}: ${title}`),
    rereads: 'It is read again when you send.',
    allow: { page: 'Let Portside read this page', screenshot: 'Let Portside take a picture of this page' },
    allowHow: 'Your browser will ask.',
    allowOnce:
      'Your browser will ask. For this page alone, press Portside’s button in the toolbar while it is in front.',
    thisSite: 'This site',
    thisSiteIs: (host: string): string => `This site: ${host}`,
    allSites: 'All sites',
    fill: { put: 'Put into the field', done: 'It is in the field.', undo: 'Undo' },
  },
};

/** 14:05; of another day 2 Nov, 14:05. */
function timeOf(iso: string): string {
  const at = new Date(iso);
  const time = at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  if (at.toDateString() === new Date().toDateString()) return time;
  return `${at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })}, ${time}`;
}
