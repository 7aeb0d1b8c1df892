import type { Refusal, ToolResult } from '../types/tools/tool-result.ts';

/** An error result with its plain text: what the card shows and what the model gets as JSON. */
export function failure(text: string): ToolResult {
  return { text, isError: true };
}

/** What the model gets: fixed texts of Portside's, which need no block as a server's answers do. */
export const REFUSALS: Record<Refusal, string> = {
  blocked:
    'The user has blocked this tool, the site that it would act on, or this kind of action there. The call was not executed.',
  cancelled: 'The call was cancelled.',
  declined: 'The user declined to do it.',
  denied: 'The user did not allow this call. It was not executed.',
  skipped:
    'The browser closed while this call ran. It is not known whether it was executed, and it was not repeated.',
};

const refusal = (refused: Refusal): ToolResult => ({ ...failure(REFUSALS[refused]), refusal: refused });

export const blocked = refusal('blocked');
export const cancelled = refusal('cancelled');

/** For a call that relied on one before it, which failed. */
export const notReached = failure(
  'Nothing was done: an action that was asked for together with this one failed before it. See what became of that first.',
);

/** @param word what the user has to say to the model about it */
export const denied = (word = ''): ToolResult => withWord(refusal('denied'), word.trim());

/** For a call that asked the user to do something. */
export const declined = (word = ''): ToolResult => withWord(refusal('declined'), word.trim());

/** For a call that was cut off and is not made again. */
export const skipped = (word = ''): ToolResult => withWord(refusal('skipped'), word.trim());

/** The card and the log show the word with the result. */
export const withWord = (result: ToolResult, word = ''): ToolResult =>
  word === '' ? result : { ...result, text: `${result.text} The user says: ${word}`, word };
