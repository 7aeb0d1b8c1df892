import { beginning } from '../../../lib/agent/context/shorten.ts';
import type { ConversationPage } from '../../../lib/protocol/chats.ts';
import type { Reply, Request } from '../../../lib/protocol/commands.ts';
import { callsForPanel, messagesForPanel } from '../../../lib/runs/panel-view.ts';
import type { Runs } from '../../../lib/runs/runs.ts';
import { listConversations } from '../../../lib/storage/chats/conversations.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { loadBranch, loadCalls } from '../../../lib/storage/chats/messages.ts';
import { loadVersions } from '../../../lib/storage/chats/message-versions.ts';
import { requireChoice } from './chat-input.ts';
import { invalid, requireText } from '../input.ts';
import { t } from '../../../locales/texts/worker.ts';

/** Characters of a title. */
const LONGEST_TITLE = 200;
const OLDER_MESSAGES = 50;

export type ConversationsDeps = {
  runs: Pick<Runs, 'chats' | 'regenerate' | 'deleteMessage' | 'stateOf'>;
  /** Something was deleted, which can be restored for a while. */
  deleted: () => void;
};

/** What pages ask about conversations and their branches. */
export function createConversations(db: Database, { runs, deleted }: ConversationsDeps) {
  function list({ archived = false, before }: Request<'listConversations'>): Promise<ConversationPage> {
    if (before !== undefined && typeof before !== 'string') throw invalid(t(($) => $.errors.input.listPlace));
    return listConversations(db, { archived, ...(before !== undefined && { before }) }, runs.stateOf);
  }

  async function older({ leafId }: Request<'olderMessages'>): Promise<Reply<'olderMessages'>> {
    const { messages, hasOlder } = await loadBranch(db, leafId, OLDER_MESSAGES);
    return {
      messages: messagesForPanel(messages),
      toolCalls: callsForPanel(await loadCalls(db, messages)),
      hasOlder,
      versions: await loadVersions(db, messages),
    };
  }

  /** @throws AppError `invalid_input` for a title that is none, or too long */
  async function set({ id, title, pinned, archived }: Request<'setConversation'>): Promise<void> {
    await runs.chats.set({
      id,
      ...(title !== undefined && { title: requireTitle(title) }),
      ...(pinned !== undefined && { pinned }),
      ...(archived !== undefined && { archived }),
    });
  }

  async function remove({ ids }: Request<'deleteConversations'>): Promise<void> {
    await runs.chats.remove({ ids });
    deleted();
  }

  /** Among the chats at the top of the list no two branches have one name. */
  async function fork(request: Request<'forkConversation'>): ReturnType<Runs['chats']['fork']> {
    const { conversations } = await list({});
    const taken = new Set(conversations.map(({ title }) => title));
    return runs.chats.fork(request, (title) => branchTitle(title, taken));
  }

  async function deleteMessage(request: Request<'deleteMessage'>): Promise<void> {
    await runs.deleteMessage(request);
    deleted();
  }

  return {
    list,
    older,
    set,
    remove,
    restore: runs.chats.restore,
    fork,
    regenerate: ({ choice, ...request }: Request<'regenerate'>) =>
      runs.regenerate({ ...request, ...(choice && { choice: modelIn(choice) }) }),
    deleteMessage,
  };
}

function requireTitle(value: string): string {
  const title = requireText(value, 'title').replace(/\s+/g, ' ');
  if (title.length <= LONGEST_TITLE) return title;
  throw invalid(t(($) => $.errors.input.longTitle, { most: LONGEST_TITLE }));
}

/** Whether a title ends in the mark of a branch; its number is any. */
const isMark = (mark: string): boolean =>
  [1, Number(/\d+/.exec(mark)?.[0] ?? 1)].some((count) => t(($) => $.forked.mark, { count }) === mark);

function withoutMark(title: string): string {
  const at = title.lastIndexOf(' (');
  return at !== -1 && isMark(title.slice(at + 1)) ? title.slice(0, at) : title;
}

/** A branch of a branch is not called so twice, but counted; a long title makes room for the word. */
function branchTitle(title: string, taken: ReadonlySet<string>): string {
  const own = withoutMark(title);
  for (let count = 1; ; count++) {
    const mark = t(($) => $.forked.mark, { count });
    const room = LONGEST_TITLE - mark.length - 1;
    const name = `${own.length > room ? `${beginning(own, room - 1)}…` : own} ${mark}`;
    if (!taken.has(name)) return name;
  }
}

/** @throws AppError `invalid_input` */
function modelIn(choice: NonNullable<Request<'regenerate'>['choice']>) {
  const { providerId, model } = requireChoice(choice);
  if (providerId === undefined || model === undefined) throw invalid(t(($) => $.errors.input.modelChoice));
  return { providerId, model };
}
