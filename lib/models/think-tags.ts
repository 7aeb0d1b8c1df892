import { cutAtTag } from './tags.ts';

/** What a piece of content turned out to be. */
export type Split = { thought: string; text: string };

export type ThinkSplitter = {
  push: (content: string) => Split;
  /** What was held back, when no more content comes. An unclosed tag leaves it all a thought. */
  end: () => Split;
};

const TAGS = ['think', 'thinking'].map((name) => ({ open: `<${name}>`, close: `</${name}>` }));

/**
 * Tells `<think>…</think>` at the beginning of an answer from the answer, however both are cut. Further on the tag is
 * text: the answer may be about it. White space around the thought is nobody's.
 */
export function createThinkSplitter(): ThinkSplitter {
  let state: 'beginning' | 'before_thought' | 'thought' | 'before_answer' | 'answer' = 'beginning';
  let space = '';
  let held = '';
  let close = '';

  const begin = (content: string): Split => {
    const text = held === '' ? content.trimStart() : held + content;
    if (held === '') space += content.slice(0, content.length - text.length);
    const tag = TAGS.find(({ open }) => text.startsWith(open));
    held = '';
    if (tag !== undefined) {
      state = 'before_thought';
      close = tag.close;
      return think(text.slice(tag.open.length));
    }
    if (TAGS.some(({ open }) => open.startsWith(text))) {
      held = text;
      return { thought: '', text: '' };
    }
    state = 'answer';
    return { thought: '', text: space + text };
  };

  const think = (content: string): Split => {
    const begun = state === 'thought' ? content : content.trimStart();
    const cut = cutAtTag(held + begun, close);
    if (cut.before !== '') state = 'thought';
    if ('after' in cut) {
      held = '';
      state = 'before_answer';
      return { thought: cut.before, text: answer(cut.after) };
    }
    held = cut.held;
    return { thought: cut.before, text: '' };
  };

  const answer = (content: string): string => {
    const text = state === 'answer' ? content : content.trimStart();
    if (text !== '') state = 'answer';
    return text;
  };

  return {
    push(content) {
      if (state === 'beginning') return begin(content);
      if (state === 'before_thought' || state === 'thought') return think(content);
      return { thought: '', text: answer(content) };
    },
    end() {
      const rest = held;
      held = '';
      if (state === 'beginning') return { thought: '', text: space + rest };
      return { thought: rest, text: '' };
    },
  };
}
