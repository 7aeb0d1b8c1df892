import type { ConversationChange, ChatRows, ConversationUpdate } from '../protocol/panel.ts';

/** What subscribers get; `reset`: no rows can say what changed, so that they are to be given a snapshot. */
export type Update = ConversationUpdate | { type: 'reset' };

/** A conversation in this life of the worker. */
type Topic = {
  number: number;
  /** The last changes, without a gap, the newest up to `number`; none while there is no subscriber. */
  log: ConversationChange[];
};

/** Changes that are kept for subscribers whose copy is a little behind. */
const LOGGED = 50;

export type Feed = ReturnType<typeof createFeed>;

/**
 * The revisions of all conversations, and their latest changes. What is published has been committed already, or is in
 * memory only.
 * @param publish to a conversation's subscribers. @returns whether there are any
 */
export function createFeed(publish: (conversationId: string, update: Update) => boolean) {
  const topics = new Map<string, Topic>();

  function topicOf(id: string): Topic {
    const topic = topics.get(id) ?? { number: 0, log: [] };
    topics.set(id, topic);
    return topic;
  }

  return {
    number: (id: string): number => topics.get(id)?.number ?? 0,
    /** Rows that were committed: one revision more. */
    changed(id: string, rows: ChatRows): void {
      const topic = topicOf(id);
      const change: ConversationChange = { type: 'change', from: topic.number, to: topic.number + 1, rows };
      topic.number = change.to;
      // Media of calls are not kept here: a page that missed such a change gets a snapshot.
      const isHeavy = rows.toolCalls?.some(({ result }) => result?.blocks !== undefined);
      topic.log = publish(id, change) && !isHeavy ? [...topic.log, change].slice(-LOGGED) : [];
    },
    append: (id: string, update: Extract<ConversationUpdate, { type: 'append' }>): void =>
      void publish(id, update),
    /** The conversation shows other messages now. */
    reset(id: string): void {
      const topic = topicOf(id);
      topic.number += 1;
      topic.log = [];
      publish(id, { type: 'reset' });
    },
    /** What happened after `number`, in order; undefined where that is not known any more. */
    since(id: string, number: number): ConversationChange[] | undefined {
      const { number: now, log } = topicOf(id);
      if (number === now) return [];
      const first = log[0]?.from ?? now;
      return number >= first && number < now ? log.filter(({ from }) => from >= number) : undefined;
    },
  };
}
