/** What a piece of content turned out to be. */
export type Split = { thought: string; text: string };

const TAGS = ['think', 'thinking'].map((name) => ({ open: `<${name}>`, close: `</${name}>` }));

/**
 * Some chat templates open the thought in the question, so that only its end shows (DeepSeek-R1, QwQ): a closing tag at
 * the end of a line with no opening one before it. Known only once it is there, when the thought was already said as text.
 */
export function splitAtLoneEnd(content: string): Split | undefined {
  const tag = TAGS.find(({ close }) => content.includes(close));
  if (tag === undefined) return undefined;
  const at = content.indexOf(tag.close);
  const thought = content.slice(0, at);
  const rest = content.slice(at + tag.close.length);
  // Who writes about the tag writes its opening, or quotes it.
  const isMention = thought.includes(tag.open) || thought.includes('`') || thought.trim() === '';
  return isMention || !/^[ \t]*(\n|$)/.test(rest) ? undefined : { thought, text: rest.trimStart() };
}

/**
 * Tells `<think>…</think>` at the beginning of an answer from the answer, however both are cut. Further on the tag is
 * text: the answer may be about it. White space around the thought is dropped.
 */
export function createThinkSplitter() {
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
    const begun = state === 'thought' || held !== '' ? content : content.trimStart();
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
    push(content: string): Split {
      if (state === 'beginning') return begin(content);
      if (state === 'before_thought' || state === 'thought') return think(content);
      return { thought: '', text: answer(content) };
    },
    /** What was held back, when no more content comes. An unclosed tag leaves it all a thought. */
    end(): Split {
      const rest = held;
      held = '';
      if (state === 'beginning') return { thought: '', text: space + rest };
      return { thought: rest, text: '' };
    },
  };
}

/** Text up to a tag and, when the tag is there, the text behind it; else `held`, which may be the tag's beginning. */
type Cut = { before: string; after: string } | { before: string; held: string };

/** Looks for a tag in text that may go on: what may be the tag's beginning is held back. */
export function cutAtTag(text: string, tag: string): Cut {
  const at = text.indexOf(tag);
  if (at !== -1) return { before: text.slice(0, at), after: text.slice(at + tag.length) };
  const begins = beginningOf(text, tag);
  return { before: text.slice(0, text.length - begins), held: text.slice(text.length - begins) };
}

/** How many of the last characters are the beginning of the tag. */
function beginningOf(text: string, tag: string): number {
  const at = text.lastIndexOf('<');
  if (at === -1) return 0;
  const last = text.length - at;
  return last < tag.length && tag.startsWith(text.slice(at)) ? last : 0;
}
