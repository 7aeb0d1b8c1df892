import type { JSX } from 'preact';
import { usageOf, type AnswerUsage } from '../../../lib/state/chat/usage.ts';
import type { AssistantMessage } from '../../../lib/types/message.ts';
import '../../ui/overlay/row-menu.css';
import { usePanel } from '../../panel-context.ts';
import { lazy } from '../../ui/lazy.tsx';
import { BranchAction, CopyAction, DeleteAction } from './message-foot.tsx';
import { Regenerate } from './regenerate.tsx';
import { Versions } from './versions.tsx';
import './message-foot.css';
import { phrases } from '../../../locales/phrases.ts';
import { units } from '../../../locales/units.ts';
import { t } from '../../../locales/texts/panel.ts';

const FillField = lazy((views) => views.FillField);
const SaveSteps = lazy((views) => views.SaveSteps);

/** What can be done with an answer, and what it took. Under others than the last while the pointer or the focus is in them. */
export function AnswerFoot(props: { messages: AssistantMessage[]; isLast: boolean }): JSX.Element | null {
  const { messages, isLast } = props;
  const [first, last] = [messages[0], messages.at(-1)];
  if (!first || !last) return null;
  const usage = usageOf(messages);
  const told = usage ? wordsOf(usage) : last.model;
  const markdown = (): string =>
    messages
      .map(({ content }) => content.trim())
      .filter((text) => text !== '')
      .join('\n\n');
  return (
    <>
      <FieldAction parentId={first.parentId} text={markdown} />
      <footer class={isLast ? 'msg-foot' : 'msg-foot quiet'}>
        <CopyAction text={markdown} />
        <Regenerate messageId={last.id} />
        <BranchAction messageId={last.id} />
        {messages.some((message) => message.tool_calls) && <SaveSteps messages={messages} />}
        <DeleteAction messageId={first.id} />
        <Versions messageId={first.id} />
        {told && (
          <span class="cost" title={told}>
            {isLast || !usage ? told : phrases.usage(usage)}
          </span>
        )}
      </footer>
    </>
  );
}

/** Where the question was about a form field of a page, the answer can be put into it. */
function FieldAction(props: { parentId: string | null; text: () => string }): JSX.Element | null {
  const { chat } = usePanel();
  const question = chat.peek().messages.find(({ id }) => id === props.parentId);
  const attached = (question?.role === 'user' && question.attachments) || [];
  for (const { source } of attached) {
    if (source.type !== 'page' || source.fieldId === undefined) continue;
    return <FillField field={{ tabId: source.tabId, fieldId: source.fieldId }} text={props.text} />;
  }
  return null;
}

/** `qwen3:14b · 21.4k in, 612 out, 18k cached, $0.07 · first token 0.8 s`; a line ends after a figure, never in one. */
export function wordsOf(usage: AnswerUsage): string {
  const first =
    usage.firstTokenMs !== undefined &&
    t(($) => $.usage.firstToken, { duration: units.duration(usage.firstTokenMs) });
  // Its letters would take the figure after it along, where words run from right to left.
  const model = usage.model !== undefined && `\u2068${usage.model}\u2069`;
  return [model, phrases.usage(usage), first]
    .filter((part) => typeof part === 'string')
    .map((part) => part.replaceAll(/(?<![,،]) /gu, '\u00a0'))
    .join(' · ');
}
