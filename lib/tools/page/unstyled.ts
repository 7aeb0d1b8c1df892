/** Elements whose content is no markup (https://html.spec.whatwg.org/#parsing-html-fragments); of the first two nothing is told. */
const RAW = /^(?:style|script|textarea|title|xmp|iframe|noembed|noframes|plaintext)$/;
const DROPPED = /^(?:style|script)$/;

/**
 * HTML without its styles and scripts, `style="…"` kept as `data-style="…"`: parsed, a style is a complaint of the browser's
 * about the document's own policy. One pass, however broken it is; what begins and never ends is left out.
 */
export function withoutStyles(html: string): string {
  let kept = '';
  let at = 0;
  for (;;) {
    const open = html.indexOf('<', at);
    if (open === -1) return kept + html.slice(at);
    kept += html.slice(at, open);
    const read = html.startsWith('<!--', open) ? commentAt(html, open) : tagAt(html, open);
    if (!read) return kept;
    kept += read.html;
    at = read.end;
  }
}

/** What stands at a place, as it is kept; null where it never ends. */
type Read = { html: string; end: number } | null;

function commentAt(html: string, open: number): Read {
  const end = html.indexOf('-->', open + 2); // <!--> is a whole one
  return end === -1 ? null : { html: '', end: end + 3 };
}

const NAME = /\/?[a-z][^\s/>]*/iy;
/** Space, a name, and what follows its `=`: each alternative begins with another character, so nothing is read twice. */
const ATTRIBUTE = /[\s/]+|([^\s/>][^\s/>=]*)(?:(\s*=\s*)("[^"]*"|'[^']*'|[^\s>"'][^\s>]*)?)?/y;

/** Of two with one name a parser takes the first: the page's own must not stand before what its style becomes. */
const OWN = /^(?:data-)*style$/i;

function tagAt(html: string, open: number): Read {
  NAME.lastIndex = open + 1;
  const name = NAME.exec(html)?.[0].toLowerCase();
  if (name === undefined) return { html: '<', end: open + 1 };
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
  return RAW.test(name) ? rawAt(html, name, `${tag}>`, end + 1) : { html: `${tag}>`, end: end + 1 };
}

/** An element whose content is no markup, to its closing tag. */
function rawAt(html: string, name: string, tag: string, from: number): Read {
  if (DROPPED.test(name) && tag.trimEnd().endsWith('/>')) return { html: '', end: from }; // in SVG that is all of it
  const closing = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  closing.lastIndex = from;
  const end = closing.exec(html)?.index;
  if (end === undefined)
    return DROPPED.test(name) ? null : { html: tag + html.slice(from), end: html.length };
  if (!DROPPED.test(name)) return { html: tag + html.slice(from, end), end };
  const after = html.indexOf('>', end);
  return after === -1 ? null : { html: '', end: after + 1 };
}
