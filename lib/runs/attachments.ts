import { AppError } from '../errors.ts';
import type { NewMessage } from '../protocol/runs.ts';
import { type Attachment, isTyped } from '../types/attachment.ts';
import type { Run } from '../types/run.ts';
import type { Context } from './context.ts';
import type { RunDeps } from './deps.ts';
import type { Sent } from './rows.ts';
import { t } from '../../locales/texts/errors.ts';

/**
 * The message with what is attached to its draft; what was taken out of that meanwhile does not go with it.
 * @param kept attachments of another message that this one carries too, as copies of its own
 * @throws AppError `nothing_to_send` when there is nothing left of it then
 */
export async function withAttachments(
  { store, newId }: Pick<RunDeps, 'store' | 'newId'>,
  { id, text, attachments: ids = [] }: NewMessage,
  kept: Attachment[] = [],
): Promise<Sent> {
  const drafted = ids.length > 0 ? await store.attachments(ids) : [];
  const attachments = [...kept.map((each) => ({ ...each, id: newId() })), ...drafted];
  if (ids.length > 0 && attachments.length === 0 && text.trim() === '') {
    throw new AppError({ code: 'nothing_to_send', ...t(($) => $.errors.chat.nothingToSend) });
  }
  return { id, text, ...(attachments.length > 0 && { attachments }) };
}

export const idsOf = ({ attachments = [] }: Partial<Sent>): string[] => attachments.map(({ id }) => id);

/** Those that leave a draft with a message. What tells that a text is a server's stays where another page's text stays the draft. */
export const takenFromDraft = ({ attachments = [] }: Partial<Sent>, isDraft: boolean): string[] =>
  idsOf({ attachments: attachments.filter((each) => isDraft || !isTyped(each)) });

/** Tells the panels what the draft of a conversation carries now. */
export function tellAttachments({ deps, feed }: Context, conversationId: string): void {
  deps.store
    .draftAttachments(conversationId)
    .then((attachments) => feed.changed(conversationId, { attachments }))
    .catch((error: unknown) => console.warn('What is attached could not be told.', error));
}

/** The row of a run that is not queued any more: its message, or the draft, has what was attached. */
export function withoutAttached(run: Run): Run {
  if (!run.queued?.attachments) return run;
  const { attachments: _attachments, ...queued } = run.queued;
  return { ...run, queued };
}
