import type { ToolResult } from '../types/tool.ts';

/** An error result with its plain text: what the card shows and what the model gets as JSON. */
export function failure(text: string): ToolResult {
  return { text, isError: true };
}

export const blocked = failure('The user has blocked this tool. The call was not executed.');
export const cancelled = failure('The call was cancelled.');

/** @param word what the user has to say to the model about it */
export function denied(word = ''): ToolResult {
  if (word.trim() === '') return failure('The user did not allow this call. It was not executed.');
  return failure(`The user did not allow this call and says: ${word.trim()}\nIt was not executed.`);
}

/** For a call that was cut off and is not made again. */
export function skipped(word = ''): ToolResult {
  const text =
    'The browser closed while this call ran. It is not known whether it was executed, and it was not repeated.';
  return failure(word.trim() === '' ? text : `${text} The user says: ${word.trim()}`);
}
