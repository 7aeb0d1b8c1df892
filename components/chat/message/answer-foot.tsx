import type { JSX } from 'preact';
import { usageOf } from '../../../lib/state/chat/usage.ts';
import type { AssistantMessage } from '../../../lib/types/message.ts';
import '../../ui/overlay/row-menu.css';
import { usePanel } from '../../panel-context.ts';
import { lazy } from '../../ui/lazy.tsx';
import { answerUsage, usageWords } from './answer-usage.ts';
import { BranchAction, CopyAction, DeleteAction } from './message-actions.tsx';
import { Regenerate } from './regenerate.tsx';
import { Versions } from './versions.tsx';
import './message-foot.css';

const FillField = lazy((views) => views.FillField);
const SaveSteps = lazy((views) => views.SaveSteps);

/** What can be done with an answer, and what it took. Under others than the last while the pointer or the focus is in them. */
export function AnswerFoot(props: { messages: AssistantMessage[]; isLast: boolean }): JSX.Element | null {
  const { messages, isLast } = props;
  const [first, last] = [messages[0], messages.at(-1)];
  if (!first || !last) return null;
  const usage = usageOf(messages);
  const told = usage ? answerUsage(usage) : last.model;
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
            {isLast || !usage ? told : usageWords(usage)}
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
