import type { Allowed, CallStatus } from '../lib/types/tool.ts';
import { panel } from './panel.ts';
import { units } from './units.ts';

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

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
    /** Used 5 tools in 52 s: 3 success, 1 error, 1 timeout. */
    used: (statuses: CallStatus[], ms: number | undefined): string => {
      const tally = ends.flatMap((status) => {
        const count = statuses.filter((each) => each === status).length;
        return count === 0 ? [] : [`${count} ${panel.tool.status[status]}`];
      });
      const time = ms === undefined ? '' : ` in ${units.duration(ms)}`;
      return `Used ${counted(statuses.length, 'tool')}${time}: ${tally.join(', ')}`;
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
