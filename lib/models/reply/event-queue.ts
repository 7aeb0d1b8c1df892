import type { ModelEvent } from '../../types/model.ts';
import type { CallFragment } from './tool-calls.ts';

/** What a model says, in as few events as it takes: readers pay for each. */
export function createEventQueue() {
  let events: ModelEvent[] = [];
  return {
    say(type: 'text' | 'reasoning', text: string): void {
      if (text === '') return;
      const last = events.at(-1);
      if (last?.type === type) last.text += text;
      else events.push({ type, text });
    },
    call(fragment: CallFragment): void {
      const last = events.at(-1);
      if (last?.type === 'call' && last.position === fragment.position) {
        last.name = fragment.name;
        last.arguments += fragment.arguments;
      } else {
        events.push({ type: 'call', ...fragment });
      }
    },
    /** All since the last time. */
    take(): ModelEvent[] {
      const taken = events;
      events = [];
      return taken;
    },
  };
}
