import type { AttachmentSummary } from '../../types/attachment.ts';
import { isUnseen, type Choice } from './choice.ts';

/** What goes with a message when that is more than its model reads at once, in tokens; null when it fits. */
export function overBudget(
  attachments: AttachmentSummary[],
  { traits }: Pick<Choice, 'traits'>,
): { tokens: number; window: number } | null {
  const { contextWindow: window } = traits;
  const tokens = attachments
    .filter((attachment) => !isUnseen(attachment, traits))
    .reduce((sum, attachment) => sum + attachment.tokens, 0);
  return window !== undefined && tokens > window ? { tokens, window } : null;
}
