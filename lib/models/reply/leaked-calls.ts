import type { OfferedTool } from '../../types/tools/tool.ts';
import { withoutControlTokens } from '../../control-tokens.ts';
import { isRecord, parseJson, toJson, unquoted } from '../../json.ts';
import { cutAtTag } from './think-tags.ts';

const OPEN = '<tool_call>';
const CLOSE = '</tool_call>';

export type LeakedCall = { name: string; arguments: string };

/** A part of what is held back: a block with a call in it, or what stays text. */
type Held = { markup: string; call?: LeakedCall };

/**
 * Finds calls that a server failed to take out of the text, `<tool_call>{"name": …, "arguments": {…}}</tool_call>`
 * (vLLM, sglang). Such a block is a call when it is closed, its tool is offered, its required arguments are there, and
 * nothing but more blocks follows: a block in the middle of an answer is an example. What may become a call is held
 * back, so that nothing is shown and then taken away.
 */
export function createLeakedCalls(tools: OfferedTool[]) {
  const offered = new Map(tools.map((tool) => [tool.name, tool]));
  const place: ScanState = { state: 'text', items: [], block: '', isObject: false, held: '', offered };
  return {
    /** Takes a piece of an answer; gives what is certainly text. */
    push(piece: string): string {
      const isPlain = place.state === 'text' && place.held === '' && !piece.includes('<');
      if (offered.size === 0 || isPlain) return piece;
      let text = place.held + piece;
      place.held = '';
      let all = '';
      while (text !== '') {
        const [shown, rest] = STEPS[place.state](place, text);
        all += shown;
        text = rest;
      }
      return all;
    },
    /** The rest when no more text comes. `isMeant`: whether a block may be a call; it is asked for each. */
    end(isMeant: (block: string) => boolean): { text: string; calls: LeakedCall[] } {
      const { state, items, block, held } = place;
      const last = (state === 'block' ? OPEN + block : '') + held;
      const areMeant = items.every(({ call, markup }) => !call || isMeant(markup));
      const calls = areMeant ? items.flatMap(({ call }) => call ?? []) : [];
      const texts = calls.length > 0 ? items.filter(({ call }) => call === undefined) : items;
      const text = texts.map(({ markup }) => markup).join('') + last;
      return { text: calls.length > 0 && text.trim() === '' ? '' : text, calls };
    },
  };
}

/**
 * Whether a block of which one stands at an answer's end is the model's own call: not where the answer shows it, in code or
 * as a quotation, and not where the same block was sent to the model, by a page or a server that wants it made.
 * @param before what the answer said before all of them
 * @param sent the request, as JSON: instructions and descriptions of tools are a server's as well
 */
export function ownCallsIn(before: string, sent: string): (block: string) => boolean {
  const known = isShown(before) ? undefined : bare(sent);
  return (block) => known?.includes(bare(block)) === false;
}

function isShown(before: string): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const isOdd = (marks: RegExp, text: string): boolean => (text.match(marks)?.length ?? 0) % 2 === 1;
  return (
    isOdd(/^[^\S\r\n\u2028\u2029]*(```|~~~)/gm, before) ||
    isOdd(/`/g, line) ||
    /^\s*>|["'“„«‘‚]\s*$/.test(line)
  );
}

/** The same however it is escaped in JSON and laid out, and with its tags as they are sent where others wrote them. */
const bare = (text: string): string =>
  withoutControlTokens(text.replaceAll(/\\{1,8}u([\da-f]{4})/gi, unescaped)).replaceAll(
    /\\[nrt]|[\s\\"]/g,
    '',
  );

const unescaped = (_all: string, code: string): string => String.fromCharCode(Number.parseInt(code, 16));

/** Where in the text it is, and what is held back. */
type ScanState = {
  state: 'text' | 'block' | 'after';
  items: Held[];
  /** The present block so far, and whether an object has begun in it. */
  block: string;
  isObject: boolean;
  /** May be the beginning of a tag. */
  held: string;
  offered: Map<string, OfferedTool>;
};

/** Takes text; gives what is shown of it, and what is left to look at. */
type Step = (place: ScanState, text: string) => [shown: string, rest: string];

const STEPS: Record<ScanState['state'], Step> = {
  text(place, text) {
    const cut = cutAtTag(text, OPEN);
    if ('held' in cut) {
      place.held = cut.held;
      return [cut.before, ''];
    }
    place.state = 'block';
    return [cut.before, cut.after];
  },

  block(place, text) {
    const body = place.isObject ? text : text.trimStart();
    place.block += text.slice(0, text.length - body.length);
    if (body === '') return ['', ''];
    place.isObject ||= body.startsWith('{');
    if (!place.isObject) {
      closeBlock(place, { markup: OPEN + place.block });
      return [release(place), body];
    }
    const cut = cutAtTag(body, CLOSE);
    place.block += cut.before;
    if ('held' in cut) {
      place.held = cut.held;
      return ['', ''];
    }
    const call = readCall(place.block, place.offered);
    closeBlock(place, { markup: OPEN + place.block + CLOSE, ...(call && { call }) });
    return [place.items.some((item) => item.call !== undefined) ? '' : release(place), cut.after];
  },

  after(place, text) {
    const next = text.trimStart();
    if (next !== '' && !next.startsWith(OPEN) && !OPEN.startsWith(next)) return [release(place), text];
    place.items.push({ markup: text.slice(0, text.length - next.length) });
    if (next.startsWith(OPEN)) {
      place.state = 'block';
      return ['', next.slice(OPEN.length)];
    }
    place.held = next;
    return ['', ''];
  },
};

function closeBlock(place: ScanState, item: Held): void {
  place.items.push(item);
  place.block = '';
  place.isObject = false;
  place.state = 'after';
}

/** All that was held back, as text. */
function release(place: ScanState): string {
  const text = place.items.map(({ markup }) => markup).join('');
  place.items = [];
  place.state = 'text';
  return text;
}

function readCall(block: string, offered: Map<string, OfferedTool>): LeakedCall | undefined {
  const body = parseJson(block);
  if (!isRecord(body) || typeof body.name !== 'string') return undefined;
  const tool = offered.get(body.name);
  const given = body.arguments ?? body.parameters ?? {};
  const args = typeof given === 'string' ? parseJson(unquoted(given)) : given;
  if (tool === undefined || !isRecord(args)) return undefined;
  const required: unknown = tool.inputSchema.required;
  const isWhole = !Array.isArray(required) || required.every((name) => Object.hasOwn(args, String(name)));
  const text = toJson(args);
  return isWhole && text !== undefined ? { name: body.name, arguments: text } : undefined;
}
