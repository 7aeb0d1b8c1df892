/** Elements whose content is no markup (https://html.spec.whatwg.org/#parsing-html-fragments); of the first two nothing is kept. */
const RAW = /^(?:style|script|textarea|title|xmp|iframe|noembed|noframes|plaintext)$/;
const DROPPED = /^(?:style|script)$/;

/** Those that end by themselves, and those that hold nothing. */
const ENDLESS =
  /^\/?(?:p|li|d[td]|t[dhr]|t(?:head|body|foot)|option|optgroup|r[pt]|area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|html|head|body|colgroup|caption)$/;
/** Tags that stand open in each other. A parser's time grows with their square, and no author writes so many. */
const DEEPEST = 2_000;

/**
 * HTML without its styles and scripts, `style="…"` kept as `data-style="…"`: parsed, a style is a complaint of the browser's
 * about the document's own policy. One pass, however broken it is; what begins and never ends is left out.
 * @returns `isCut`: it nests too deep, and ends there
 */
export function withoutStyles(html: string): { html: string; isCut: boolean } {
  let kept = '';
  const opened: string[] = [];
  let at = 0;
  for (;;) {
    const open = html.indexOf('<', at);
    if (open === -1) return { html: kept + html.slice(at), isCut: false };
    kept += html.slice(at, open);
    const read = html.startsWith('<!--', open) ? commentAt(html, open) : tagAt(html, open);
    if (!read) return { html: kept, isCut: false };
    nest(opened, read.name);
    if (opened.length > DEEPEST) return { html: kept, isCut: true };
    kept += read.html;
    at = read.end;
  }
}

/** Their end tags close nothing but themselves: what they hold goes on. */
const FORMATS = /^(?:a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)$/;
/** An end tag closes none that lies deeper: no author's does, and looking for it takes time. */
const NEAR = 100;

/** What stands open behind a tag, about as a parser sees it. */
function nest(opened: string[], tag: string): void {
  if (tag === '' || ENDLESS.test(tag)) return;
  if (!tag.startsWith('/')) return void opened.push(tag);
  const name = tag.slice(1);
  const near = opened.slice(-NEAR).lastIndexOf(name);
  if (near === -1) return;
  const at = Math.max(0, opened.length - NEAR) + near;
  opened.splice(at, FORMATS.test(name) ? 1 : Infinity);
}

/** What stands at a place, as it is kept; null where it never ends. `name`: of a tag, with its slash. */
type Read = { html: string; end: number; name: string } | null;

function commentAt(html: string, open: number): Read {
  const end = html.indexOf('-->', open + 2); // <!--> is a whole one
  return end === -1 ? null : { html: '', end: end + 3, name: '' };
}

const NAME = /\/?[a-z][^\s/>]*/iy;
/** Space, a name, and what follows its `=`: each alternative begins with another character, so nothing is read twice. */
const ATTRIBUTE = /[\s/]+|([^\s/>][^\s/>=]*)(?:(\s*=\s*)("[^"]*"|'[^']*'|[^\s>"'][^\s>]*)?)?/y;

/** Of two with one name a parser takes the first: the page's own must not stand before what its style becomes. */
const OWN = /^(?:data-)*style$/i;

function tagAt(html: string, open: number): Read {
  NAME.lastIndex = open + 1;
  const name = NAME.exec(html)?.[0].toLowerCase();
  if (name === undefined) return { html: '<', end: open + 1, name: '' };
  let end = NAME.lastIndex;
  let tag = html.slice(open, end);
  while (html[end] !== '>') {
    ATTRIBUTE.lastIndex = end;
    const [whole, attribute, equals, value] = ATTRIBUTE.exec(html) ?? [];
    // The end of the text, or a quote that nothing closes.
    if (!whole || (equals !== undefined && value === undefined && html[ATTRIBUTE.lastIndex] !== '>'))
      return null;
    tag += OWN.test(attribute ?? '') ? ` data-${whole}` : whole;
    if (attribute !== undefined) tag += ' ';
    end = ATTRIBUTE.lastIndex;
  }
  if (RAW.test(name)) return rawAt(html, name, `${tag}>`, end + 1);
  return { html: `${tag}>`, end: end + 1, name };
}

/** An element whose content is no markup, to its closing tag. */
function rawAt(html: string, name: string, tag: string, from: number): Read {
  if (DROPPED.test(name) && tag.trimEnd().endsWith('/>')) return { html: '', end: from, name: '' }; // in SVG that is all of it
  const closing = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  closing.lastIndex = from;
  const end = closing.exec(html)?.index;
  if (end === undefined)
    return DROPPED.test(name) ? null : { html: tag + html.slice(from), end: html.length, name: '' };
  if (!DROPPED.test(name)) return { html: tag + html.slice(from, end), end, name: '' };
  const after = html.indexOf('>', end);
  return after === -1 ? null : { html: '', end: after + 1, name: '' };
}
