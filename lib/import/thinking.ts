import { joined } from './told-chat.ts';

/** What stands between `<think>` and `</think>` as reasoning, the rest as text. */
export function thinkingIn(content: string): { text: string; reasoning: string } {
  let said = '';
  let reasoning = '';
  let at = 0;
  for (;;) {
    const start = content.indexOf('<think>', at);
    const end = start === -1 ? -1 : content.indexOf('</think>', start);
    if (end === -1) return { text: joined(said, content.slice(at).trim()), reasoning };
    said = joined(said, content.slice(at, start).trim());
    reasoning = joined(reasoning, content.slice(start + 7, end).trim());
    at = end + 8;
  }
}
