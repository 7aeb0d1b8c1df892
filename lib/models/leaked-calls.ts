import type { OfferedTool } from '../types/tool.ts';
import { isRecord, parseJson, toJson } from './json.ts';
import { cutAtTag } from './tags.ts';

const OPEN = '<tool_call>';
const CLOSE = '</tool_call>';

export type LeakedCall = { name: string; arguments: string };

export type LeakedCalls = {
  /** Takes a piece of an answer; gives what is certainly text. */
  push: (text: string) => string;
  /** The rest when no more text comes. `recover` false makes text of everything. */
  end: (recover: boolean) => { text: string; calls: LeakedCall[] };
};

/** A part of what is held back: a block with a call in it, or what stays text. */
type Held = { markup: string; call?: LeakedCall };

/**
 * Finds calls that a server failed to take out of the text, `<tool_call>{"name": …, "arguments": {…}}</tool_call>`
 * (vLLM, sglang). Such a block is a call when it is closed, its tool is offered, its required arguments are there, and
 * nothing but more blocks follows: a block in the middle of an answer is an example. What may become a call is held
 * back, so that nothing is shown and then taken away.
 */
export function createLeakedCalls(tools: OfferedTool[]): LeakedCalls {
  const offered = new Map(tools.map((tool) => [tool.name, tool]));
  let state: 'text' | 'block' | 'after' = 'text';
  let items: Held[] = [];
  let block = '';
  let isObject = false;
  /** May be the beginning of a tag. */
  let held = '';

  /** All that was held back before the present block, as text. */
  const release = (): string => {
    const text = items.map(({ markup }) => markup).join('');
    items = [];
    state = 'text';
    return text;
  };

  /** Each takes text and gives what is shown of it, and what is left to look at. */
  const inText = (text: string): [shown: string, rest: string] => {
    const cut = cutAtTag(text, OPEN);
    if ('held' in cut) {
      held = cut.held;
      return [cut.before, ''];
    }
    state = 'block';
    return [cut.before, cut.after];
  };
  const inBlock = (text: string): [shown: string, rest: string] => {
    const body = isObject ? text : text.trimStart();
    block += text.slice(0, text.length - body.length);
    if (body === '') return ['', ''];
    isObject = body.startsWith('{') || isObject;
    if (!isObject) {
      items.push({ markup: OPEN + block });
      block = '';
      return [release(), body];
    }
    const cut = cutAtTag(body, CLOSE);
    block += cut.before;
    if ('held' in cut) {
      held = cut.held;
      return ['', ''];
    }
    const call = readCall(block, offered);
    items.push({ markup: OPEN + block + CLOSE, ...(call && { call }) });
    block = '';
    isObject = false;
    state = 'after';
    return [items.some((item) => item.call !== undefined) ? '' : release(), cut.after];
  };
  const afterBlock = (text: string): [shown: string, rest: string] => {
    const next = text.trimStart();
    if (next !== '' && !next.startsWith(OPEN) && !OPEN.startsWith(next)) return [release(), text];
    items.push({ markup: text.slice(0, text.length - next.length) });
    if (next.startsWith(OPEN)) {
      state = 'block';
      return ['', next.slice(OPEN.length)];
    }
    held = next;
    return ['', ''];
  };

  return {
    push(piece) {
      if (offered.size === 0 || (state === 'text' && held === '' && !piece.includes('<'))) return piece;
      let text = held + piece;
      held = '';
      let all = '';
      while (text !== '') {
        const [shown, rest] =
          state === 'text' ? inText(text) : state === 'block' ? inBlock(text) : afterBlock(text);
        all += shown;
        text = rest;
      }
      return all;
    },
    end(recover) {
      const last = (state === 'block' ? OPEN + block : '') + held;
      const calls = recover ? items.flatMap(({ call }) => call ?? []) : [];
      const texts = calls.length > 0 ? items.filter(({ call }) => call === undefined) : items;
      const text = texts.map(({ markup }) => markup).join('') + last;
      return { text: calls.length > 0 && text.trim() === '' ? '' : text, calls };
    },
  };
}

function readCall(block: string, offered: Map<string, OfferedTool>): LeakedCall | undefined {
  const body = parseJson(block);
  if (!isRecord(body) || typeof body.name !== 'string') return undefined;
  const tool = offered.get(body.name);
  const given = body.arguments ?? body.parameters ?? {};
  const args = typeof given === 'string' ? parseJson(given) : given;
  if (tool === undefined || !isRecord(args)) return undefined;
  const required: unknown = tool.inputSchema.required;
  const isWhole = !Array.isArray(required) || required.every((name) => Object.hasOwn(args, String(name)));
  const text = toJson(args);
  return isWhole && text !== undefined ? { name: body.name, arguments: text } : undefined;
}
