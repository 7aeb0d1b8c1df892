/** An absolute address that a user may be sent to; null for any other, which is shown as text. */
export function addressOf(href: string): URL | null {
  const url = URL.parse(href.trim());
  return url && /^(?:https?|mailto):$/.test(url.protocol) ? url : null;
}

/** Whom an address leads to. Other scripts are in Punycode, so that nothing looks like another. */
export function hostOf(url: URL): string {
  if (url.protocol !== 'mailto:') return url.host;
  const domain = url.pathname.split('@').at(-1) ?? '';
  return URL.parse(`https://${domain}`)?.host ?? domain;
}

/** Whether a link's text says where it leads: `192.168.1.1` does not name `92.168.1.1`. */
export function names(text: string, url: URL): boolean {
  const [said, host] = [text.toLowerCase(), hostOf(url).replace(/^www\./, '')];
  const at = said.indexOf(host);
  return at >= 0 && !/[\p{L}\p{N}-]/u.test(said.charAt(at - 1) + said.charAt(at + host.length));
}

/** Characters of a link's text in which names are looked for, which takes the square of them. */
const LONGEST_TEXT = 500;

/** Whether a link's text leaves the reader in the wrong belief of where it leads, so that the host must be said. */
export function misleads(text: string, url: URL): boolean {
  const host = hostOf(url);
  if (url.username || url.password || /(?:^|\.)xn--/.test(host)) return true;
  if (text.length > LONGEST_TEXT || !/[\p{L}\p{N}]/u.test(text)) return true;
  if (isAddressOf(text, url)) return false;
  const bare = host.replace(/^www\./, '').replace(/:\d+$/, '');
  return [...text.normalize('NFKC').replaceAll(INVISIBLE, '').matchAll(HOST)].some(
    ([name]) => name.toLowerCase().replace(/^www\./, '') !== bare,
  );
}

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** A file's name like `README.md` may be a host as well: which ends are those of hosts changes each year. */
// oxlint-disable-next-line portside/linear-regex -- at most LONGEST_TEXT characters
const HOST = /(?:[\p{L}\p{M}\p{N}-]+[.\u3002])+\p{L}[\p{L}\p{M}\p{N}-]+|\d+(?:\.\d+){3}/gu;

/** Whether the text is an address itself, of the same host, whatever its path looks like. */
function isAddressOf(text: string, url: URL): boolean {
  const said = addressOf(text) ?? addressOf(url.protocol + text);
  return said !== null && !/\s/.test(text) && said.username === '' && hostOf(said) === hostOf(url);
}
