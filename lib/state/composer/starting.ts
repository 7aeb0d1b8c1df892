import { computed, effect, signal } from '@preact/signals';
import type { Request } from '../../protocol/commands.ts';
import type { Place } from '../../protocol/panel.ts';
import { withoutEarlier } from '../chat/chat.ts';
import type { ConversationView } from '../chat/conversation-view.ts';

/** What becomes of a message while a run is live. */
export type When = NonNullable<Request<'startRun'>['when']>;
/** Runs that were asked for and have not shown up yet. */
export function createStarting(view: ConversationView, newId: () => string) {
  const { chat, conversationId, error, command } = view;
  const startingId = signal<string | null>(null);
  /** The worker has answered: a snapshot without the run says that it is over already. */
  let answeredId: string | null = null;
  // Once seen it has started, even if it is gone later: a queued one that was removed.
  effect(() => {
    if (chat.value.runs.some((run) => run.id === startingId.value)) startingId.value = null;
  });
  effect(() => {
    if (view.snapshots.value > 0 && answeredId !== null) settle(answeredId);
  });

  function wish(runId: string): void {
    answeredId = null;
    error.value = null;
    startingId.value = runId;
  }
  /** No run of this id will show up. */
  function settle(runId: string): void {
    if (startingId.value === runId) startingId.value = null;
  }

  async function startRun(request: Request<'startRun'>): Promise<boolean> {
    const place = view.place();
    const asked = command('startRun', { ...request, ...(hasPlace(place) && { place }) }); // first: the worker begins while the page is drawn
    wish(request.runId);
    chat.value = withoutEarlier(chat.value); // the log goes to its end now
    view.adopt(request.conversationId, request.runId);
    const started = await asked;
    const { runId } = request;
    if (!started || started.reply === 'live' || view.isTakenBack(runId)) settle(runId);
    else answeredId = runId;
    return started !== undefined;
  }

  async function wished(ask: (runId: string) => Promise<unknown>): Promise<void> {
    const runId = newId();
    wish(runId);
    if (await ask(runId)) answeredId = runId;
    else settle(runId);
  }

  return {
    /** True from the wish for a run until the run shows up. */
    starting: computed(() => startingId.value !== null),
    /** False when the worker did not take it. */
    startRun,
    /** The conversation goes on from where it stands. */
    async goOn(): Promise<void> {
      const id = conversationId.value;
      if (id !== null) await startRun({ conversationId: id, runId: newId() });
    },
    /** Makes a finished call once more and lets the model go on from its result. */
    runAgain: (callId: string): Promise<void> => wished((runId) => command('runAgain', { callId, runId })),
    /** Has the older part of the conversation summarised. */
    async compact(): Promise<void> {
      const id = conversationId.value;
      if (id !== null) await wished((runId) => command('compact', { conversationId: id, runId }));
    },
    /** The chat that the run was wanted for is not shown any more. */
    forget: (): void => void (startingId.value = null),
  };
}

export type Starting = ReturnType<typeof createStarting>;

const hasPlace = (place: Place | null): place is Place => Object.keys(place ?? {}).length > 0;
