/** An absolute address that a user may be sent to; null for any other, which is shown as text. */
export function addressOf(href: string): URL | null {
  const url = URL.parse(href.trim());
  return url && /^(?:https?|mailto):$/.test(url.protocol) ? url : null;
}

/** Whom an address leads to. Other scripts are in Punycode, so that nothing looks like another. */
export const hostOf = (url: URL): string =>
  url.protocol === 'mailto:' ? (decodeURI(url.pathname).split('@').at(-1) ?? '') : url.host;

/** Whether a link's text says where it leads. */
export const names = (text: string, url: URL): boolean =>
  text.toLowerCase().includes(hostOf(url).replace(/^www\./, ''));

/** Characters of a link's text in which names are looked for, which takes the square of them. */
const LONGEST_TEXT = 500;

/** Whether a link's text leaves the reader in the wrong belief of where it leads, so that the host must be said. */
export function misleads(text: string, url: URL): boolean {
  const host = hostOf(url);
  if (url.username || url.password || /(?:^|\.)xn--/.test(host)) return true;
  if (text.length > LONGEST_TEXT || !/[\p{L}\p{N}]/u.test(text)) return true;
  const bare = host.replace(/^www\./, '').replace(/:\d+$/, '');
  const named =
    text
      .normalize('NFKC')
      .match(/[\p{L}\p{N}-]+(?:[.\u3002\uff0e][\p{L}\p{N}-]+)*[.\u3002\uff0e]\p{L}{2,}/gu) ?? [];
  return named.some((name) => {
    const said = name.toLowerCase().replace(/^www\./, '');
    return said !== bare && !(said.includes('/') && bare === '') && !isPathOf(url, name);
  });
}

/** `README.md` and the like: a file's name that the address has too. */
const isPathOf = (url: URL, name: string): boolean =>
  !/\.(?:com|org|net|io|dev|app|gov|edu|co|ai)$/i.test(name) &&
  url.href.toLowerCase().includes(name.toLowerCase());
