import type { Message } from '../../../lib/types/message.ts';
import type { Conversation } from '../../../lib/types/conversation.ts';

/** A chat of questions and answers, whose `count` messages are made when they are asked for. */
export function chatOf(
  id: string,
  count: number,
  at: number,
): { conversation: Conversation; messages: (from: number, to: number) => Message[] } {
  const timestamp = (place: number) => new Date(at - (count - place) * 1000).toISOString();
  const message = (place: number): Message => {
    const row = {
      id: `${id}-${place}`,
      conversationId: id,
      parentId: place === 0 ? null : `${id}-${place - 1}`,
      seq: place,
      sub: 0,
      timestamp: timestamp(place),
      status: 'complete' as const,
    };
    if (place % 2 === 0) return { ...row, role: 'user', content: `Question ${place}: ${words(place, 9)}?` };
    const text = `${words(place, 14)}.\n\n- ${words(place + 7, 6)}\n- ${words(place + 13, 6)}\n\nAnswer ${place}.`;
    return { ...row, role: 'assistant', runId: `${id}-run`, content: text };
  };
  return {
    conversation: {
      id,
      title: `Chat ${id}`,
      createdAt: timestamp(0),
      updatedAt: timestamp(count),
      leafId: `${id}-${count - 1}`,
      providerId: null,
      model: null,
      settings: {},
    },
    messages: (from, to) => Array.from({ length: to - from }, (_, offset) => message(from + offset)),
  };
}

const COMMON =
  'the session server client tool answer request stream message header version token model page error list'.split(
    ' ',
  );

/** Words as texts have them: a few that are everywhere, and many that are rare. */
function words(seed: number, count: number): string {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    return (mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed))) >>> 0;
  };
  return Array.from({ length: count }, () => {
    const roll = next() % 100;
    return roll < 60 ? COMMON[next() % COMMON.length] : `w${(next() % 50_000).toString(36)}`;
  }).join(' ');
}
