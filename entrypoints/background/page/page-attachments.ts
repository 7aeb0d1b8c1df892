import { bytesOfTokens } from '../../../lib/types/tokens.ts';
import { AppError } from '../../../lib/errors.ts';
import { isSiteForbidden, refused } from '../../../lib/fleet/rules.ts';
import type { AttachedPage, PageWish } from '../../../lib/protocol/attached.ts';
import type { Request } from '../../../lib/protocol/commands.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import type { AttachmentSource, AttachmentSummary } from '../../../lib/types/attachment.ts';
import { type PageContent, type PagePart, siteOf } from '../../../lib/types/page.ts';
import { withoutUnseen } from '../../../lib/tools/page/reading/unseen.ts';
import type { createAttachments, Head } from '../chat/attachments.ts';
import { invalid, requireText } from '../input.ts';
import type { createPages } from './pages.ts';
import type { PageTarget } from './tab-finder.ts';
import { t } from '../../../locales/texts/errors.ts';

export type PageAttachmentsDeps = {
  pages: Pick<ReturnType<typeof createPages>, 'read' | 'call' | 'find'>;
  attachments: Pick<ReturnType<typeof createAttachments>, 'keep' | 'renew' | 'newId' | 'during' | 'draftRow'>;
  /** How many tokens a chat's model reads. */
  windowOf: (conversationId: string) => Promise<number>;
  now: () => number;
};

/** Characters of a selection that only the browser told. */
const MOST_TOLD = 40_000;
/** Milliseconds to find out whether a page changed. */
const LOOK_MS = 1_000;
/** Of what a model reads, a page takes this share at most, and so many tokens: what is longer, it reads on in. */
const SHARE = 0.25;
const MOST_TOKENS = 50_000;
/** Where there is no model yet. */
const USUAL_WINDOW = 32_768;

type PageSource = Extract<AttachmentSource, { type: 'page' }>;

/** Parts of pages in drafts. They are read when the user adds them, looks at them and sends them, and at no other time. */
export function createPageAttachments(
  db: Database,
  { pages, attachments, windowOf, now }: PageAttachmentsDeps,
) {
  const attach = (request: Request<'attachPage'>): Promise<AttachmentSummary> =>
    attachments.during(request.fetchId, async (signal) => {
      const conversationId = requireText(request.conversationId, 'chat');
      const { part, target } = requirePlace(request);
      const readId = `page-${crypto.randomUUID().slice(0, 8)}`;
      const most = await mostFor(conversationId);
      const { tab, fieldId, ...content } = await readOrTold(target, part, readId, most, request);
      signal.throwIfAborted();
      const source: PageSource = {
        type: 'page',
        part,
        tabId: request.given && part !== 'field' ? -1 : tab.id,
        url: tab.url,
        at: timestamp(),
        ...(await fingerprintOf(part, tab.id)),
        ...(fieldId !== undefined && { fieldId }),
      };
      const head = { id: attachments.newId(), conversationId, title: content.title, source };
      return attachments.keep(head, contentOf(content, readId));
    });

  /** A link, and a selection that can't be read, is taken as the browser told it with the click; not where reading is forbidden. */
  async function readOrTold(
    target: PageTarget,
    part: PagePart,
    readId: string,
    most: number,
    { given, url: asked }: PageWish,
  ) {
    const { url = '', frameUrl = '' } = given ?? {};
    // A frame without an address of its own is of its page’s site.
    const addresses = frameUrl.startsWith('about:') ? [url] : [url, frameUrl];
    if (isSiteForbidden(addresses.map((each) => siteOf(each) ?? each))) throw refused('other');
    const told = given && {
      title: given.title || given.url,
      text: withoutUnseen(given.text).text.slice(0, MOST_TOLD),
      tab: { url: given.url, id: -1 },
      fieldId: undefined,
    };
    const orTold = (error: unknown) => {
      const isPrivate = error instanceof AppError && error.code === 'page_private';
      if (told && !isPrivate) return told;
      throw error;
    };
    if (part === 'link') {
      if (!told) throw invalid(t(($) => $.errors.input.page));
      return pages.find(target).then(() => told, orTold);
    }
    const reading = pages.read(target, part, { readId, clicked: given?.text ?? '', most, url: asked });
    const found = await (part === 'selection' ? reading.catch(orTold) : reading);
    // The user selected it, so it was visible.
    return told && part === 'selection' && 'isUnseen' in found ? told : found;
  }

  /** Reads those of a draft again, as long as their tabs show the same page; any other stays what it was. */
  async function renew(ids: string[] = []): Promise<void> {
    await Promise.all(
      ids.map(async (id) => {
        const row = await db.get('attachments', id);
        if (row?.source.type !== 'page') return;
        const { conversationId, title, source, whole } = row;
        const before = source.fieldId ?? whole?.readId;
        await reread({ id, conversationId, title, source }, source, before).catch((error: unknown) =>
          console.info('What was attached of a page stays as it was.', error),
        );
      }),
    );
  }

  /** @throws AppError */
  async function refresh({ id }: Request<'refreshPage'>): Promise<void> {
    const row = await db.get('attachments', id);
    if (row?.source.type !== 'page') return; // it was sent, or taken out
    const { conversationId, title, source, whole } = row;
    await reread({ id, conversationId, title, source }, source, whole?.readId, true);
  }

  /** What the text of a whole page is known by; nothing where that can't be had. */
  async function fingerprintOf(part: PagePart, tabId: number): Promise<Pick<PageSource, 'print'>> {
    if (part !== 'page') return {};
    const look = async () => pages.call(await pages.find({ tabId }), 'fingerprint', false, [], LOOK_MS);
    const [print] = await look().catch(() => []);
    return print === undefined ? {} : { print };
  }

  /** Looked at when the user turns to the panel. A page of another site, and one that can't be looked at, is not told of. */
  async function changed({ pages: attached }: Request<'changedPages'>): Promise<string[]> {
    const isChanged = async ({ tabId, url, print, isSent }: AttachedPage): Promise<boolean> => {
      const tab = await pages.find({ tabId });
      if (siteOf(tab.url ?? url) !== siteOf(url) || (isSent && !tab.active)) return false;
      const seen = await fingerprintOf('page', tabId);
      return seen.print !== undefined && (seen.print !== print || (tab.url ?? url) !== url);
    };
    const all = attached.map(async (page) => ((await isChanged(page).catch(() => false)) ? [page.id] : []));
    return (await Promise.all(all)).flat();
  }

  /** @param isAny its tab may show another address of the site by now */
  async function reread(head: Head, source: PageSource, before?: string, isAny = false): Promise<void> {
    const { part, tabId } = source;
    // Another selection by now is another thing to say, and what a file says stays.
    if (part === 'link' || part === 'selection' || part === 'transcript' || tabId < 0) return;
    const readId = before ?? `page-${crypto.randomUUID().slice(0, 8)}`;
    const most = await mostFor(head.conversationId);
    const { tab, fieldId: _its, ...content } = await pages.read({ tabId }, part, { readId, most });
    const isSame = isAny ? siteOf(tab.url) === siteOf(source.url) : tab.url === source.url;
    if (!isSame) return;
    const seen = { url: tab.url, at: timestamp(), ...(await fingerprintOf(part, tabId)) };
    const renewed = { ...head, title: content.title, source: { ...source, ...seen } };
    await attachments.renew(await attachments.draftRow(renewed, contentOf(content, readId)));
  }

  /** @throws AppError `field_gone`, `field_moved`, `field_changed`, `field_locked`, `field_refused`, `field_inexact` */
  async function fillField({ tabId, fieldId, text }: Request<'fillField'>): Promise<void> {
    const answers = await pages.call(await pages.find({ tabId }), 'fill', true, [fieldId, text]);
    const answer = answers.find((each) => each !== null) ?? 'gone';
    if (answer !== 'filled')
      throw new AppError({ code: `field_${answer}`, ...t(($) => $.errors.page.field[answer]) });
  }

  /** Bytes of a page that are sent at once. */
  async function mostFor(conversationId: string): Promise<number> {
    const window = await windowOf(conversationId).catch(() => USUAL_WINDOW);
    return bytesOfTokens(Math.min(SHARE * window, MOST_TOKENS));
  }

  const timestamp = (): string => new Date(now()).toISOString();

  return { attach, renew, refresh, changed, fillField };
}

function contentOf({ title: _title, isUnseen: _isUnseen, whole, ...content }: PageContent, readId: string) {
  return { ...content, ...(whole !== undefined && { whole: { readId, text: whole } }) };
}

const PARTS: ReadonlySet<unknown> = new Set<PagePart>([
  'page',
  'transcript',
  'selection',
  'field',
  'screenshot',
  'image',
  'link',
]);

/** @throws AppError `invalid_input` */
function requirePlace({ part, tabId, windowId }: Request<'attachPage'>): {
  part: PagePart;
  target: PageTarget;
} {
  const place = tabId ?? windowId;
  if (!PARTS.has(part) || !Number.isSafeInteger(place)) throw invalid(t(($) => $.errors.input.page));
  return { part, target: tabId === undefined ? { windowId: Number(place) } : { tabId } };
}
