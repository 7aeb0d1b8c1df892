import type { DraftAttachment } from '../../storage/chats/attachments.ts';
import type { JournalEntry } from '../../storage/chats/journal.ts';
import { isDraftOf } from '../../types/message.ts';
import type { QueuedMessage, Run } from '../../types/run.ts';
import { takenFromDraft, withoutAttached } from '../attachments.ts';
import { type Context, liveRun } from '../context.ts';
import type { Sent } from '../rows.ts';

/** Where a message goes while a run is live. */
export type When = 'queue' | 'steer' | 'now';

type QueuedRun = Run & { queued: QueuedMessage };

/** What waits behind the conversations' live runs. All but the commands is called inside the conversation's lane. */
export function createQueue(context: Context) {
  const { lane } = context;
  const { store } = context.deps;

  /** In order. What was handed to the live run already is on its way, and no longer to be had. */
  async function waiting(conversationId: string): Promise<QueuedRun[]> {
    const steers = liveRun(context, conversationId)?.state.steers;
    const runs = await store.queuedRuns(conversationId);
    return runs.filter(
      (run): run is QueuedRun => run.queued !== undefined && steers?.has(run.queued.id) !== true,
    );
  }

  /** At the end of the queue, or, with `now`, before everything else in it. */
  async function add(run: Run, message: Sent, when: When, draft: string | undefined): Promise<void> {
    const { conversationId } = run;
    const orders = (await store.queuedRuns(conversationId)).map(({ queued }) => queued?.order ?? 0);
    const order = when === 'now' ? Math.min(1, ...orders) - 1 : Math.max(-1, ...orders) + 1;
    const queued: Run = { ...run, status: 'queued', queued: { ...message, order, steer: when === 'steer' } };
    const isDraft = isDraftOf({ text: message.text, draft }, await store.draft(conversationId));
    await store.write({
      runs: [queued],
      ...(isDraft && { draft: { conversationId, text: '' } }),
      attached: takenFromDraft(message, isDraft),
    });
  }

  /**
   * The run to begin, and what changes in those behind it: they wait for its end, also those that were to steer
   * the run before it.
   */
  async function next(conversationId: string): Promise<{ first: QueuedRun; behind: Run[] } | undefined> {
    const [first, ...others] = await waiting(conversationId);
    if (!first) return undefined;
    const behind = others.filter(({ queued }) => queued.steer).map((run) => withSteer(run, false));
    return { first, behind };
  }

  /** Puts all that is queued back into the composer: the texts, and what was attached to them. */
  async function takeBack(conversationId: string): Promise<void> {
    const queued = await waiting(conversationId);
    if (queued.length === 0) return;
    const texts = queued.map((run) => run.queued.text);
    const text = [await store.draft(conversationId), ...texts].filter((each) => each !== '').join('\n');
    await store.write({
      runs: queued.map((run) => ({ ...withdrawn(run), unsent: true })),
      draft: { conversationId, text },
      returned: queued.flatMap(returned),
    });
  }

  /** Changes a run that is still queued. @returns false when it is not, or there is nothing to change */
  async function change(
    runId: string,
    changed: (run: QueuedRun, queue: QueuedRun[]) => Run[],
    also?: (run: QueuedRun) => JournalEntry,
  ): Promise<boolean> {
    const conversationId = (await store.run(runId))?.conversationId;
    if (conversationId === undefined) return false;
    return lane(conversationId, async () => {
      const queue = await waiting(conversationId);
      const run = queue.find(({ id }) => id === runId);
      const runs = run ? changed(run, queue) : [];
      if (run && runs.length > 0) await store.write({ ...also?.(run), runs });
      return runs.length > 0;
    });
  }

  return {
    add,
    next,
    takeBack,
    /** What was attached to the message goes back to the draft. */
    remove: ({ runId }: { runId: string }) =>
      change(
        runId,
        (run) => [withdrawn(run)],
        (run) => ({ returned: returned(run) }),
      ),
    move: async ({ runId, by }: { runId: string; by: -1 | 1 }) => {
      await change(runId, (run, queue) => {
        const neighbour = queue[queue.indexOf(run) + by];
        return neighbour ? swapped(run, neighbour) : [];
      });
    },
    steer: async ({ runId, steer }: { runId: string; steer: boolean }) => {
      await change(runId, (run) => [withSteer(run, steer)]);
    },
  };
}

const withdrawn = (run: QueuedRun): Run => ({
  ...withoutAttached(run),
  status: 'ended',
  reason: 'cancelled',
});

const returned = ({ conversationId, queued: { attachments = [] } }: QueuedRun): DraftAttachment[] =>
  attachments.map((attachment) => ({ ...attachment, conversationId }));

const withSteer = (run: QueuedRun, steer: boolean): Run => ({ ...run, queued: { ...run.queued, steer } });

function swapped(a: QueuedRun, b: QueuedRun): Run[] {
  return [
    { ...a, queued: { ...a.queued, order: b.queued.order } },
    { ...b, queued: { ...b.queued, order: a.queued.order } },
  ];
}
