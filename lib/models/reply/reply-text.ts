import type { OfferedTool } from '../../types/tools/tool.ts';
import type { createEventQueue } from './event-queue.ts';
import { isRecord, recordOf, stringOf } from '../../json.ts';
import { createLeakedCalls, type LeakedCall } from './leaked-calls.ts';
import { createReasoningChannel } from './reasoning.ts';
import { createThinkSplitter, type Split, splitAtLoneEnd } from './think-tags.ts';

/**
 * What a model says in words: its answer and its thoughts, told apart wherever they stand.
 * @param tools calls of which may leak into the text
 * @param said takes what can be shown
 */
export function createReplyText(tools: OfferedTool[], said: ReturnType<typeof createEventQueue>) {
  const reasoning = createReasoningChannel();
  const thinking = createThinkSplitter();
  const leaked = createLeakedCalls(tools);
  let content = '';
  let textSize = 0;

  const sayText = (text: string): void => {
    content += text;
    said.say('text', text);
  };
  const takeContent = ({ thought, text }: Split): void => {
    said.say('reasoning', reasoning.pushThought(thought));
    sayText(leaked.push(text));
  };
  return {
    /** Takes a delta, or a whole message. */
    push(delta: Record<string, unknown>): void {
      const text = textOf(delta.content) + textOf(delta.refusal);
      textSize += text.length;
      said.say('reasoning', reasoning.push(delta));
      if (Array.isArray(delta.content))
        said.say('reasoning', reasoning.pushThought(thoughtIn(delta.content)));
      takeContent(thinking.push(text));
    },
    /** No more comes; what was held back is said. `isMeant`: of the calls that leaked into the text, which are given. */
    end(isMeant: (block: string) => boolean): LeakedCall[] {
      takeContent(thinking.end());
      const rest = leaked.end(isMeant);
      sayText(rest.text);
      const split = reasoning.text() === '' ? splitAtLoneEnd(content) : undefined;
      if (split !== undefined) {
        content = split.text;
        reasoning.pushThought(split.thought);
      }
      return rest.calls;
    },
    content: (): string => content,
    reasoning: reasoning.text,
    /** The provider's own fields of the thoughts, to echo. */
    raw: reasoning.raw,
    /** True once there was text, be it held back. */
    hasText: (): boolean => textSize > 0,
    /** Characters so far. */
    size: (): number => textSize + reasoning.text().length,
  };
}

/** Text, or the text parts of a list (Mistral's thinking models). */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: unknown) => stringOf(recordOf(part).text)).join('');
}

/** The thoughts among the parts of a list (Mistral). */
function thoughtIn(content: unknown[]): string {
  return content.map((part: unknown) => (isRecord(part) ? textOf(part.thinking) : '')).join('');
}
