import type { ServerPrompt, ServerResource, ServerSkill, ServerTemplate } from '../../protocol/attached.ts';
import type { Reply } from '../../protocol/commands.ts';
import type { PagePart } from '../../types/page.ts';
import type { SavedPrompt } from '../../types/prompt.ts';
import { OWN_TOOLS } from '../../types/tools/tool-source.ts';
import type { Starter } from './starters.ts';
import { t } from '../../../locales/texts/panel.ts';

/** One thing that a connected server offers. */
export type OfferEntry =
  | { type: 'prompt'; id: string; offer: ServerPrompt }
  | { type: 'skill'; id: string; offer: ServerSkill }
  | { type: 'resource'; id: string; offer: ServerResource }
  | { type: 'template'; id: string; offer: ServerTemplate };

/** What can be done from the `/` menu. */
export type MenuAction = 'new' | 'compact' | 'export' | 'rename' | 'delete' | 'save' | 'prompts' | 'settings';

/** What a menu lists: what servers offer, the user's own prompts, what can be done, files to choose. */
export type MenuEntry =
  | OfferEntry
  | { type: 'saved'; id: string; prompt: SavedPrompt }
  | { type: 'starter'; id: string; starter: Starter }
  | { type: 'action'; id: string; action: MenuAction }
  | { type: 'files'; id: string }
  | PageEntry
  | TabNamesEntry;

/** Names itself, since its words come late. */
type Titled = { id: string; title: string; sub: string; group: { id: string; title: string } };

/** A part of a page. `url`: as far as the browser tells. */
export type PageEntry = Titled & { type: 'page'; part: PagePart; tabId: number; url?: string };

/** Has the browser asked to name the open tabs. */
export type TabNamesEntry = Titled & { type: 'tab_names' };

export type MenuGroup = { id: string; title: string; entries: MenuEntry[] };

type Resources = Reply<'listResources'>;

/** Prompts and, after them, skills: both say what is to be done. */
export function promptEntries(prompts: ServerPrompt[], skills: ServerSkill[] = []): OfferEntry[] {
  return [
    ...prompts.map((offer): OfferEntry => ({
      type: 'prompt',
      id: `${offer.serverId}/${offer.name}`,
      offer,
    })),
    ...skills.map((offer): OfferEntry => ({ type: 'skill', id: `${offer.serverId}/${offer.uri}`, offer })),
  ];
}

export function contextEntries({ resources, templates }: Resources): OfferEntry[] {
  return [
    ...resources.map((offer): OfferEntry => ({
      type: 'resource',
      id: `${offer.serverId}/${offer.uri}`,
      offer,
    })),
    ...templates.map((offer): OfferEntry => ({
      type: 'template',
      id: `${offer.serverId}/${offer.uriTemplate}`,
      offer,
    })),
  ];
}

export function ownEntries(
  prompts: SavedPrompt[],
  starters: Starter[],
  isChat: boolean,
): { before: MenuEntry[]; after: MenuEntry[] } {
  const actions: (MenuAction | false)[] = [
    'new',
    isChat && 'compact',
    isChat && 'rename',
    isChat && 'export',
    isChat && 'delete',
    'save',
    'prompts',
    'settings',
  ];
  return {
    before: [
      ...prompts
        .filter(({ skill }) => !skill)
        .map((prompt): MenuEntry => ({ type: 'saved', id: `saved/${prompt.id}`, prompt })),
      ...starters.map((starter): MenuEntry => ({ type: 'starter', id: `starter/${starter.id}`, starter })),
    ],
    after: actions
      .filter((action) => action !== false)
      .map((action) => ({ type: 'action', id: `action/${action}`, action })),
  };
}

export const filesEntry: MenuEntry = { type: 'files', id: 'files' };

/** So many are shown at once; the rest is found by typing. */
export const MOST_SHOWN = 100;

/** What the query names, in its groups; what begins with it comes first. */
export function groupOffers(entries: MenuEntry[], query: string): { groups: MenuGroup[]; left: number } {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = entries
    .map((entry) => ({ entry, rank: rankOf(entry, words) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ entry }) => entry);
  const groups = new Map<string, MenuGroup>();
  for (const entry of found.slice(0, MOST_SHOWN)) {
    const { id, title } = groupOf(entry);
    const group = groups.get(id) ?? { id, title, entries: [] };
    group.entries.push(entry);
    groups.set(id, group);
  }
  return { groups: [...groups.values()], left: Math.max(0, found.length - MOST_SHOWN) };
}

/** Whether a query with spaces in it names something; one that ends with a space, whether a name goes on there. */
export function isNamed(entries: MenuEntry[], query: string): boolean {
  if (!query.endsWith(' ')) return groupOffers(entries, query).groups.length > 0;
  const begun = query.toLowerCase();
  return entries.some((entry) =>
    Object.values(textsOf(entry))
      .flat()
      .some((name) => name.toLowerCase().includes(begun)),
  );
}

function groupOf(entry: MenuEntry): { id: string; title: string } {
  if ('group' in entry) return entry.group;
  if (entry.type === 'saved' || entry.type === 'starter')
    return { id: 'saved', title: t(($) => $.compose.saved) };
  if (entry.type === 'action') return { id: 'portside', title: t(($) => $.panel.label) };
  if (entry.type === 'files') return { id: 'files', title: t(($) => $.compose.thisComputer) };
  if (entry.type === 'skill' && entry.offer.serverId === OWN_TOOLS)
    return { id: 'saved', title: t(($) => $.compose.saved) };
  return { id: String(entry.offer.serverId), title: entry.offer.serverName };
}

/** What an entry is found by: its names, and what else stands on its line. */
function textsOf(entry: MenuEntry): { names: string[]; beside: string[] } {
  if ('group' in entry) return { names: [entry.title], beside: [entry.sub] };
  if (entry.type === 'saved') return { names: [entry.prompt.name], beside: [] };
  if (entry.type === 'starter') return { names: [entry.starter.name], beside: [] };
  if (entry.type === 'action') {
    return {
      names: [t(($) => $.compose.actions[entry.action])],
      beside: [t(($) => $.compose.does[entry.action])],
    };
  }
  if (entry.type === 'files')
    return { names: [t(($) => $.compose.files)], beside: [t(($) => $.compose.filesSub)] };
  const { type, offer } = entry;
  if (type === 'skill') return { names: [offer.name], beside: [offer.description, offer.serverName] };
  const address = type === 'resource' ? [offer.uri] : type === 'template' ? [offer.uriTemplate] : [];
  const names = [offer.name, ...(offer.title === undefined ? [] : [offer.title])];
  return { names, beside: [...address, offer.serverName] };
}

/**
 * 6: its name begins with the words, 5: words of its names do, 4: they stand somewhere in those, 3: words of its line begin
 * with them, 2: they stand somewhere in it, 1: the letters of one word stand in the name in this order, 0: nothing of that.
 */
function rankOf(entry: MenuEntry, words: string[]): number {
  if (words.length === 0) return 2;
  const { names, beside } = textsOf(entry);
  const lower = names.map((name) => name.toLowerCase());
  const line = [...lower, ...beside.map((text) => text.toLowerCase())];
  const [name = ''] = lower;
  if (name.startsWith(words.join(' '))) return 6;
  const [inNames, inLine] = [fit(lower, words), fit(line, words)];
  if (inNames > 0) return inNames + 3;
  if (inLine > 0) return inLine + 1;
  return words.length === 1 && isSpread(words[0] ?? '', name) ? 1 : 0;
}

/** 2: each word begins one of the texts' words, 1: each stands in some text. */
function fit(texts: string[], words: string[]): 0 | 1 | 2 {
  const parts = texts.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u));
  if (words.every((word) => parts.some((part) => part.startsWith(word)))) return 2;
  return words.every((word) => texts.some((text) => text.includes(word))) ? 1 : 0;
}

function isSpread(word: string, text: string): boolean {
  let at = 0;
  for (const letter of word) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** Why a menu lists nothing of what servers offer. */
export type Lack = 'loading' | 'no_servers' | 'nothing_offered' | 'no_match';

/** `offered`: what servers offer, null until it is here; `found`: what of all there is the query names. */
export function lackOf(menu: {
  offered: OfferEntry[] | null;
  found: MenuGroup[];
  query: string;
  connected: number;
}): Lack | null {
  if (menu.query !== '' && menu.found.length > 0) return null;
  if (menu.connected === 0) return menu.query === '' ? 'no_servers' : 'no_match';
  if (menu.offered === null) return 'loading';
  if (menu.offered.length === 0) return menu.query === '' ? 'nothing_offered' : 'no_match';
  return menu.found.length === 0 ? 'no_match' : null;
}
