import { withoutInvisible } from '../invisible.ts';
import { isTyped } from '../types/attachment.ts';
import { tierOf } from '../types/tier.ts';
import type { Message } from '../types/message.ts';
import { siteOf } from '../types/page.ts';
import { isSkillCall } from '../types/skill.ts';
import type { Tool } from '../types/server-tool.ts';
import { OWN_TOOLS, ownRules, type ToolSource } from '../types/own-tools.ts';
import { isOwnTool, lacksAccess, PAGE_TOOLS, READ_MORE, type Quote, type ToolCall } from '../types/tool.ts';

/** What a model has read that neither the user nor Portside wrote. */
export type Foreign = {
  /** Whose it is, for the user: a host, a server's or a file's name, the title of an imported chat. */
  from: string;
  text: string;
  /** `from` is the host of a web page. */
  isHost?: true;
  /** Of a web page. */
  origin?: string;
  /** Of a server that said it. */
  serverId?: number;
  /** It stands in a message of the user's as well, as a server's prompt does. */
  isTyped?: true;
  /** What was left out of it, and may have been read since, is kept nowhere. */
  isCut?: true;
  /** What a server's tool read of an open world: strangers may have written it. */
  isOpen?: true;
  /** Origin of the page whose tools' definitions it is: foreign to all but these. */
  offers?: string;
};

/** Stands for the origins of all tabs. */
export const ALL_TABS = '*';

/**
 * The foreign text on a branch. It is found anew each time in the rows themselves, so that it goes along with branches,
 * edits, queued messages, summaries (the originals stay) and exports.
 * @param calls the rows of the branch's calls
 * @param isTrusted whether the user trusts a server
 */
export function foreignIn(
  messages: Message[],
  calls: ToolCall[],
  isTrusted: (serverId: number) => boolean,
): Foreign[] {
  const attached = messages.flatMap((message) =>
    message.role === 'user' ? (message.attachments ?? []) : [],
  );
  return [
    ...attached.map((attachment): Foreign => {
      const { source, title, whole } = attachment;
      // `read_more` gives the rest of what was cut.
      const text = whole?.text ?? attachment.text;
      // Stands in the block's tag.
      const titled = `${title}\n${text}`;
      if (source.type === 'file') return { from: source.name, text };
      if (source.type === 'page') return ofPage(source.url, `${source.url}\n${titled}`);
      if (source.type === 'skill') return ofSkill(source, source.name, titled);
      const said = { from: source.serverName, text: titled, serverId: source.serverId };
      return isTyped(attachment) ? { ...said, text: text.replaceAll(LINE_END, '\n'), isTyped: true } : said;
    }),
    ...calls.flatMap((call) => foreignOf(call, isTrusted)),
    ...calls
      .flatMap(before)
      .flatMap((call) => foreignOf(call, isTrusted).map((each) => ({ ...each, isCut: true as const }))),
  ];
}

/** Those that a text area makes line feeds of. */
const LINE_END = /\r\n?/g;

const ofPage = (url: string, text: string): Foreign => {
  const origin = siteOf(url);
  const host = URL.parse(url)?.host;
  const from = host ? ({ from: host, isHost: true } as const) : { from: url };
  return { ...from, text, ...(origin !== undefined && { origin }) };
};

/** A skill is more than an answer, since it says what is to be done: also of a trusted server, or out of the user's own folder. */
const ofSkill = (
  { serverId, serverName }: { serverId: ToolSource; serverName: string },
  name: string,
  text: string,
): Foreign => (isOwnTool(serverId) ? { from: name, text } : { from: serverName || name, text, serverId });

/** A call's result, unless it is Portside's own word. */
const answerTo = ({ result, refused, status }: ToolCall): ToolCall['result'] =>
  refused || status === 'denied' ? undefined : result;

/** A call as it was each time before it was run again, without its words. */
const before = ({ refused: _now, earlier = [], ...call }: ToolCall): ToolCall[] =>
  earlier.map((result) => ({ ...call, status: 'success', result: { ...result, text: '' } }));

/** What came of a call. Only of a trusted server's tool in a closed world it is not foreign. */
function foreignOf(call: ToolCall, isTrusted: (serverId: number) => boolean): Foreign[] {
  const { serverId, serverName, toolName, annotations } = call;
  const result = answerTo(call);
  if (!result || lacksAccess(call)) return [];
  if (isSkillCall(call)) return [ofSkill(call, annotations.title ?? toolName, result.text)];
  // `read_more` and `search_tools`: what they give is on the branch already, or Portside's.
  if (serverId === null || ownRules(call)?.answersItself) return [];
  const { text, url } = result;
  // Of what the log dropped there is what the model was sent, which tells how to read what was cut.
  const cut = result.dropped && text.includes(READ_MORE) && { isCut: true as const };
  if (url !== undefined) {
    const { origin: _its, ...fetched } = ofPage(url, text);
    // Signed in nowhere: of that site's tabs, where the user may be signed in, nothing was read.
    return [{ ...(toolName === 'fetch_url' ? fetched : ofPage(url, text)), ...cut }];
  }
  // Why one of Portside's own, or a page's, was of no use is Portside's text, unless the log kept too little to tell.
  if (serverId === OWN_TOOLS || serverId === PAGE_TOOLS)
    return result.isError && !result.dropped ? [] : [{ from: serverName, text, ...cut }];
  if (annotations.openWorldHint === false && isTrusted(serverId)) return [];
  const isOpen = annotations.readOnlyHint === true && annotations.openWorldHint !== false;
  return [{ from: serverName || toolName, text, serverId, ...(isOpen && { isOpen }), ...cut }];
}

/** The servers whose tools answered on a branch. @param calls the rows of its calls */
export const answeredIn = (calls: ToolCall[]): Set<number> =>
  new Set(
    [...calls, ...calls.flatMap(before)].flatMap((call) =>
      isOwnTool(call.serverId) || !answerTo(call) ? [] : call.serverId,
    ),
  );

/**
 * The foreign text that may be behind a call. What the tool's own server said is, once another server, though it be trusted,
 * answered in the chat: it may have what that said sent to itself. Else of it only what it read of an open world, and that
 * behind what changes something: an issue that strangers wrote has none written, but the next one may be read.
 */
export function foreignTo(
  { serverId, annotations, reads }: Pick<ToolCall, 'serverId' | 'annotations' | 'reads'>,
  { foreign, answered }: { foreign: Foreign[]; answered: Set<number> },
): Foreign[] {
  const isAlone = [...answered].every((id) => id === serverId);
  return foreign.filter(
    (each) =>
      (each.serverId !== serverId || !isAlone || (each.isOpen && annotations.readOnlyHint !== true)) &&
      (serverId !== PAGE_TOOLS || each.offers === undefined || each.offers !== reads),
  );
}

/**
 * Whether a call that would run without a question is asked about all the same, because foreign text may be behind it: it
 * writes, sends or destroys, or reads a page of a site that the chat has read nothing of. That it only reads is believed of
 * servers that the user trusts.
 * @param reads the origin that the call would read of, or `ALL_TABS`
 */
export function asksAgain(
  tool: Pick<Tool, 'serverId' | 'annotations'>,
  branch: { foreign: Foreign[]; answered: Set<number> },
  reads: string | undefined,
  isTrusted: boolean,
): boolean {
  const others = foreignTo({ ...tool, ...(reads !== undefined && { reads }) }, branch);
  if (others.length === 0) return false;
  if (tierOf(tool.annotations) !== 'reads' || !isTrusted) return true;
  return reads !== undefined && !others.some(({ origin }) => origin === reads);
}

/** So many characters that are the same are no accident. */
const QUOTE = 12;
/** Characters of arguments and of foreign text that are compared. */
const MOST_ARGUMENTS = 50_000;
const MOST_FOREIGN = 500_000;
/**
 * What text may be encoded as, with room for a quote. What stands before it may be of the same characters, as a path before
 * Base64 is: it is read from each of the `starts` first ones.
 */
const ENCODED: { runs: RegExp; starts: number; decode: (run: string) => string }[] = [
  {
    runs: /[\w+/-]{16,}={0,2}/g,
    starts: 4,
    decode: (run) => {
      const plain = run
        .replaceAll('-', '+')
        .replaceAll('_', '/')
        .replace(/={1,2}$/, '');
      const whole = plain.length % 4 === 1 ? plain.slice(0, -1) : plain;
      return fromBytes([...atob(whole)].map((unit) => unit.charCodeAt(0)));
    },
  },
  {
    runs: /[\da-f]{24,}/gi,
    starts: 2,
    decode: (run) => fromBytes((run.match(/../g) ?? []).map((pair) => parseInt(pair, 16))),
  },
  { runs: /\S+/g, starts: 1, decode: decodeURIComponent },
  {
    runs: /[\u{e0020}-\u{e007e}]{12,}/gu,
    starts: 1,
    decode: (run) => String.fromCodePoint(...[...run].map((tag) => tag.codePointAt(0)! - 0xe0000)),
  },
];

/** What is no text there becomes replacement characters. */
const fromBytes = (bytes: Iterable<number>): string => new TextDecoder().decode(Uint8Array.from(bytes));

/** A stretch of text that is looked for; `whole` stands for it in the arguments, where that is encoded. */
type Stretch = { text: string; whole?: string[]; ends: number[]; by: (string | undefined)[] };

/**
 * The pieces of a call's arguments that stand word for word in foreign text, also encoded or spread over several arguments,
 * and not in what the user wrote. Of that, what stands in a server's prompt is the server's, though the user edited it.
 * @param written the user's messages
 */
export function quotesIn(args: unknown, foreign: Foreign[], written: string): Quote[] {
  const { leaves, names: named } = comparedOf(args);
  const all = joined(leaves);
  const names = named.map((name) => joined([name]));
  const single = [...leaves.map((leaf) => joined([leaf])), ...names];
  const stretches = [all, ...names, ...single.flatMap(asSeen), ...[all, ...single].flatMap(decoded)];
  const grams = new Map<string, [Stretch, number][]>();
  for (const stretch of stretches) {
    for (let at = 0; at + QUOTE <= stretch.text.length; at += 1) {
      const gram = stretch.text.slice(at, at + QUOTE);
      const known = grams.get(gram);
      if (known) known.push([stretch, at]);
      else grams.set(gram, [[stretch, at]]);
    }
  }
  const most = shareOf(foreign);
  const mark = ({ from, text }: Foreign): void => {
    const seen = withoutInvisible(text.slice(0, most)).text; // as the model read it
    for (let at = 0; at + QUOTE <= seen.length; at += 1) {
      const gram = seen.slice(at, at + QUOTE);
      for (const [{ by }, start] of grams.get(gram) ?? []) by.fill(from, start, start + QUOTE);
      grams.delete(gram);
    }
  };
  const latest = foreign.toReversed();
  latest.filter((each) => each.isTyped).forEach(mark);
  for (let at = 0; at + QUOTE <= written.length; at += 1) grams.delete(written.slice(at, at + QUOTE));
  latest.filter((each) => !each.isTyped).forEach(mark);
  const quotes = stretches.flatMap(quotesOf).map((quote): [string, Quote] => [JSON.stringify(quote), quote]);
  return [...new Map(quotes).values()];
}

/** Whether there is more than what is compared, of the arguments or of the foreign text. */
export const isPartlyCompared = (args: unknown, foreign: Foreign[]): boolean =>
  [...textsIn(args), ...namesIn(args)].reduce((sum, { length }) => sum + length, 0) > MOST_ARGUMENTS ||
  foreign.some(({ text, isCut }) => isCut || text.length > shareOf(foreign));

/** Of all that a call's arguments hold together, as much as is compared. */
function comparedOf(args: unknown): { leaves: string[]; names: string[] } {
  let left = MOST_ARGUMENTS;
  const cut = (texts: string[]): string[] =>
    texts.flatMap((text) => {
      const kept = text.slice(0, left);
      left -= kept.length;
      return kept || [];
    });
  return { leaves: cut(textsIn(args)), names: cut(namesIn(args)) };
}

/** Characters of each foreign text that are compared: what short ones leave is for the long, lest one take all. */
function shareOf(foreign: Foreign[]): number {
  let left = MOST_FOREIGN;
  const lengths = foreign.map(({ text }) => text.length).toSorted((one, other) => one - other);
  for (const [at, length] of lengths.entries()) {
    const share = Math.floor(left / (lengths.length - at));
    if (length > share) return share;
    left -= length;
  }
  return MOST_FOREIGN;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Of objects. */
function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...own, ...Object.values(value).flatMap(namesIn)];
}

function joined(leaves: string[]): Stretch {
  const text = leaves.join('');
  let end = 0;
  return { text, ends: leaves.map((leaf) => (end += leaf.length)), by: Array.from({ length: text.length }) };
}

/** What is invisible keeps no quote apart. */
function asSeen({ text: leaf }: Stretch): Stretch[] {
  const { text, invisible } = withoutInvisible(leaf);
  const by = Array.from({ length: text.length }, () => undefined);
  return invisible === 0 ? [] : [{ text, whole: [leaf], ends: [text.length], by }];
}

function decoded({ text: leaf, ends: all }: Stretch): Stretch[] {
  return ENCODED.flatMap(({ runs, starts, decode }) => {
    let next = 0;
    return [...leaf.matchAll(runs)].flatMap(({ 0: run, index }) => {
      const cuts = [index];
      // Both are in order: a search among all of them for each run would take the square.
      for (; next < all.length && all[next]! < index + run.length; next += 1)
        if (all[next]! > cuts.at(-1)!) cuts.push(all[next]!);
      cuts.push(index + run.length);
      const whole = cuts.slice(1).map((end, at) => leaf.slice(cuts[at], end));
      return Array.from({ length: starts }, (_none, start) => run.slice(start)).flatMap((part) => {
        try {
          const text = decode(part);
          if (text === part) return [];
          return [{ text, whole, ends: [text.length], by: Array.from({ length: text.length }) }];
        } catch {
          return []; // it only looked encoded
        }
      });
    });
  });
}

/** Runs of characters of one source, each within one argument. */
function quotesOf({ text, whole, ends, by }: Stretch): Quote[] {
  const source = by.find((from) => from !== undefined);
  if (whole !== undefined)
    return source === undefined ? [] : whole.map((part) => ({ text: part, from: source }));
  const quotes: Quote[] = [];
  const isEnd = new Set(ends);
  let start = 0;
  for (let at = 1; at <= by.length; at += 1) {
    if (at < by.length && by[at] === by[start] && !isEnd.has(at)) continue;
    const from = by[start];
    if (from !== undefined) quotes.push({ text: text.slice(start, at), from });
    start = at;
  }
  return quotes;
}
