import { AppError } from '../errors.ts';
import type { Message } from '../types/message.ts';
import { READ_MORE } from '../types/tools/own-tool-rules.ts';
import { messageOf, type ToolCall } from '../types/tools/tool-call.ts';
import { ownDefinition, type EveryRunTool } from './every-run-tool.ts';

/** Characters of one page; of a text beyond ASCII, whose characters may take three bytes, fewer go to the model uncut. */
const PAGE = 16_000;
const PAGE_BEYOND_ASCII = 10_000;

const definition = ownDefinition(
  READ_MORE,
  `Reads on in a tool result or a page that was cut because it was long, up to ${PAGE} characters at a time. What is cut names its id.`,
  {
    result: { type: 'string', description: 'The id that what was cut names' },
    offset: { type: 'integer', minimum: 0, description: 'The character to begin at; 0 unless told' },
  },
  ['result'],
);

export type ReadMoreDeps = {
  /** A row of the ledger, by its call id. */
  readCall: (callId: string) => Promise<ToolCall | undefined>;
  /** The branch before a call. What another branch read is foreign to it, and taints nothing on it (lib/trust/taint.ts). */
  messagesBefore: (call: Pick<ToolCall, 'callId' | 'conversationId'>) => Promise<Message[]>;
};

export function createReadMore({ readCall, messagesBefore }: ReadMoreDeps): EveryRunTool {
  return {
    definition,
    async run(calling, args) {
      const id = typeof args['result'] === 'string' ? args['result'] : '';
      const offset = typeof args['offset'] === 'number' ? args['offset'] : 0;
      const before = await messagesBefore(calling);
      const isThere = before.some((message) => message.id === messageOf(id));
      const read = isThere ? await readCall(id) : undefined;
      // Of what an app had called no model is told (docs/apps.md): the tool may be for apps alone.
      const result = read?.byApp === undefined ? read?.result : undefined;
      if (result?.dropped) throw dropped(id);
      const text = result?.text ?? wholeText(before, id);
      if (text === undefined) {
        throw new AppError({
          code: 'no_result',
          message: `There is no result ${JSON.stringify(id)} in this conversation.`,
          fix: 'Use the id exactly as the cut result names it.',
        });
      }
      return { text: page(id, text, offset), isError: false };
    },
  };
}

/** All of a text that was attached and cut, by the id that its end names. */
const wholeText = (messages: Message[], readId: string): string | undefined =>
  messages
    .flatMap((message) => (message.role === 'user' && message.attachments) || [])
    .find(({ whole }) => whole?.readId === readId)?.whole?.text;

function dropped(id: string): AppError {
  return new AppError({
    code: 'result_dropped',
    message: `The whole of the result ${id} is not kept any more: only the newest calls’ results are.`,
    fix: 'Go by what was shown of it, or call the tool again.',
  });
}

function page(id: string, text: string, offset: number): string {
  if (!Number.isInteger(offset) || offset < 0 || offset >= Math.max(text.length, 1)) {
    throw new AppError({
      code: 'bad_offset',
      message: `The result ${id} has ${text.length} characters, so it cannot be read from ${offset} on.`,
      fix: `Choose an offset from 0 to ${Math.max(text.length - 1, 0)}.`,
    });
  }
  const start = isSplit(text, offset) ? offset - 1 : offset;
  const isAscii = /^[\0-\x7f]*$/.test(text.slice(start, start + PAGE));
  const limit = start + (isAscii ? PAGE : PAGE_BEYOND_ASCII);
  const end = isSplit(text, limit) ? limit - 1 : Math.min(limit, text.length);
  const next = end < text.length ? `the next offset is ${end}` : 'this is the end';
  return `[Characters ${start} to ${end} of ${text.length} of the result ${id}; ${next}.]\n${text.slice(start, end)}`;
}

/** Whether a cut here would fall into the middle of a character that takes two places. */
function isSplit(text: string, at: number): boolean {
  return /[\uDC00-\uDFFF]/.test(text.charAt(at)) && /[\uD800-\uDBFF]/.test(text.charAt(at - 1));
}
