import type { Allowed, CallStatus } from '../lib/types/tool.ts';
import { panel } from './panel.ts';
import { units } from './units.ts';

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** So many are named. */
const FEW_TOOLS = 3;

/** The order in which a folded step tells how its calls ended. */
const ends: CallStatus[] = [
  'success',
  'error',
  'timeout',
  'cancelled',
  'denied',
  'unknown',
  'running',
  'approved',
  'pending',
];

/** What tool calls and reasoning say. */
export const tools = {
  card: {
    table: 'Table',
    rows: (count: number): string => `Show all ${counted(count, 'row')}`,
    tokens: (count: number): string => `${units.amount(count)} ${count === 1 ? 'token' : 'tokens'}`,
    copyArguments: 'Copy arguments',
    copyResult: 'Copy result',
    copied: 'Copied.',
    notCopied: 'The browser did not let Portside copy.',
    openImage: 'Open image',
    closeImage: 'Close image',
    writing: 'Arguments so far',
    allowed: {
      once: 'Allowed once',
      chat: 'Allowed for this chat',
      always: 'Always allowed',
      before: 'Allowed beforehand',
    } satisfies Record<Allowed, string>,
    log: 'Open in tool log',
    more: (count: number): string => `and ${count} more`,
    /** Used echo · 0.1 s; 5 steps: echo ×4, add · 52 s · 1 error, 1 timeout. */
    used: (tally: {
      statuses: CallStatus[];
      called: { name: string; count: number }[];
      ms?: number;
    }): string => {
      const { statuses, called, ms } = tally;
      const names = called
        .slice(0, FEW_TOOLS)
        .map(({ name, count }) => (count > 1 ? `${name} ×${count}` : name));
      if (called.length > FEW_TOOLS) names.push(`${called.length - FEW_TOOLS} more`);
      const wrong = ends.flatMap((status) => {
        const count = statuses.filter((each) => each === status).length;
        return count === 0 || status === 'success' ? [] : [`${count} ${panel.tool.status[status]}`];
      });
      return [
        statuses.length === 1 && names.length === 1
          ? `Used ${names[0]}`
          : [counted(statuses.length, 'step'), ...(names.length > 0 ? [names.join(', ')] : [])].join(': '),
        ...(ms === undefined ? [] : [units.duration(ms)]),
        ...(wrong.length === 0 ? [] : [wrong.join(', ')]),
      ].join(' · ');
    },
  },
  reasoning: {
    thinking: 'Thinking',
    live: (ms: number): string => `Thinking, ${units.elapsed(ms)}`,
    thought: (ms: number | undefined): string =>
      ms === undefined ? 'Thought' : `Thought for ${ms < 950 ? units.duration(ms) : units.elapsed(ms + 500)}`,
    text: 'Reasoning',
  },
};
