/** Why a line of the list blocks nothing, or not what it says. */
export type SiteFault = { line: number; site: string; why: 'star' | 'scheme' | 'range' | 'noHost' };

const sitesOf = (line: string): string[] => line.split(/[\s,;]+/).filter(Boolean);

/** Whether one of these origins is on the user's list of hosts on whose pages nothing may be done. */
export function isBlockedSite(origins: string[], list: string): boolean {
  const hosts = sitesOf(list).flatMap((site) => hostOf(bareSite(site)) || []);
  return origins.some((origin) => {
    const at = hostOf(origin);
    return hosts.some((host) => at === host || at.endsWith(`.${host}`));
  });
}

/** The first fault of each line that has one. */
export const faultsOf = (list: string): SiteFault[] =>
  list.split('\n').flatMap((text, index) => {
    const sites = sitesOf(text);
    for (const site of sites) {
      const why = faultOf(site, sites.length > 1);
      if (why) return [{ line: index + 1, site, why }];
    }
    return [];
  });

/** A word of several that has no dot is one of a sentence; alone it may be a host of the user's own network. */
function faultOf(site: string, isOneOfSeveral: boolean): SiteFault['why'] | undefined {
  const bare = bareSite(site);
  if (/^(?:https?:\/\/)?[^/?#]*\*/i.test(bare)) return 'star';
  if (/^(?!https?:)[a-z][a-z\d+.-]*:\/\//i.test(bare)) return 'scheme';
  const host = hostOf(bare);
  // What has too few numbers, or none that a page's address shows, becomes an address by itself.
  const isOtherAddress = /^[\d.]+$/.test(host) && !bare.includes(host);
  if (isOtherAddress || /^[\d.]+\/\d+$/.test(bare)) return 'range';
  const isHost = host.startsWith('[') || /^[\w-]+(?:\.[\w-]+)*$/.test(host);
  return isHost && (!isOneOfSeveral || /[.[]/.test(host) || host === 'localhost') ? undefined : 'noHost';
}

/** Of a site as it may be written, a host, an address, or a pattern such as `https://*.bank.example/*`: without its signs. */
const bareSite = (site: string): string =>
  site
    .replaceAll(/["'“”„«»‘’<>()]/g, '')
    .replace(/^\*?:?\/\//, '')
    .replace(/^(https?:\/\/)?[*.]+/i, '$1');

/** Of an address, or of a host alone; empty for what is neither. */
const hostOf = (text: string): string =>
  (URL.parse(/^https?:/i.test(text) ? text : `https://${text}`)?.hostname ?? '').replace(/\.$/, '');
