import type { Commands, ServerPrompt, ServerResource, ServerTemplate } from '../protocol.ts';

/** What a menu lists: one thing that a connected server offers. */
export type OfferEntry =
  | { type: 'prompt'; id: string; offer: ServerPrompt }
  | { type: 'resource'; id: string; offer: ServerResource }
  | { type: 'template'; id: string; offer: ServerTemplate };

export type OfferGroup = { serverId: number; serverName: string; entries: OfferEntry[] };

type Resources = ReturnType<Commands['listResources']>;

export function promptEntries(prompts: ServerPrompt[]): OfferEntry[] {
  return prompts.map((offer) => ({ type: 'prompt', id: `${offer.serverId}/${offer.name}`, offer }));
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

/** So many are shown at once; the rest is found by typing. */
export const MOST_SHOWN = 100;

/** What holds the query in its name, title or address, by server; names that begin with it come first. */
export function groupOffers(entries: OfferEntry[], query: string): { groups: OfferGroup[]; left: number } {
  const wanted = query.toLowerCase();
  const found = entries
    .map((entry) => ({ entry, rank: rankOf(entry, wanted) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ entry }) => entry);
  const groups = new Map<number, OfferGroup>();
  for (const entry of found.slice(0, MOST_SHOWN)) {
    const { serverId, serverName } = entry.offer;
    const group = groups.get(serverId) ?? { serverId, serverName, entries: [] };
    group.entries.push(entry);
    groups.set(serverId, group);
  }
  return { groups: [...groups.values()], left: Math.max(0, found.length - MOST_SHOWN) };
}

/** 2: begins with it, 1: holds it, 0: neither. */
function rankOf({ type, offer }: OfferEntry, wanted: string): number {
  if (wanted === '') return 1;
  const address = type === 'resource' ? offer.uri : type === 'template' ? offer.uriTemplate : '';
  const texts = [offer.name, offer.title ?? '', address, offer.serverName].map((text) => text.toLowerCase());
  if (texts.slice(0, 2).some((text) => text.startsWith(wanted))) return 2;
  return texts.some((text) => text.includes(wanted)) ? 1 : 0;
}

/** What the menu says where it lists nothing. */
export type Lack = 'loading' | 'no_servers' | 'nothing_offered' | 'no_match';

export function lackOf(menu: {
  entries: OfferEntry[] | null;
  found: OfferGroup[];
  connected: number;
}): Lack | null {
  if (menu.found.length > 0) return null;
  if (menu.connected === 0) return 'no_servers';
  if (menu.entries === null) return 'loading';
  return menu.entries.length === 0 ? 'nothing_offered' : 'no_match';
}
