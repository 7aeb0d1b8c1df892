import { useComputed, useSignal } from '@preact/signals';
import { Fragment, type JSX } from 'preact';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { Cpu, RefreshCw } from 'lucide';
import { groupCalls } from '../../../lib/state/chat/call-groups.ts';
import { liveRun, type Faults } from '../../../lib/state/chat/run-status.ts';
import type { AssistantMessage } from '../../../lib/types/message.ts';
import { usePanel } from '../../panel-context.ts';
import { AssistantMessageView } from './assistant-message.tsx';
import { useNotice } from '../notice.tsx';
import { PastFaults } from '../calls/fold.tsx';
import { CallGroupContext } from '../calls/call-group-line.tsx';
import { Versions } from './versions.tsx';
import { t } from '../../../locales/texts/panel.ts';
import { usageOf, answerUsage, usageWords } from '../../../lib/state/chat/usage.ts';
import '../../ui/overlay/row-menu.css';
import { lazy } from '../../ui/lazy.tsx';
import { BranchAction, CopyAction, DeleteAction, Action, useNotLive } from './message-actions.tsx';
import './message-foot.css';
import { choiceFor, modelGroups, modelLabel } from '../../../lib/state/composer/choice.ts';
import { focusMessage } from '../../composer/message-field.tsx';
import type { ChatChoice } from '../../../lib/types/conversation.ts';
import { Icon } from '../../ui/icon.tsx';
import { MenuButton, useMenu } from '../../ui/overlay/menu-button.tsx';

const none: ReadonlySet<string> = new Set();

/** All that the assistant did about a message. Only the last one is about the run. */
export function Answer(props: {
  messages: AssistantMessage[];
  turn: string;
  isLast: boolean;
  faults: Faults;
}): JSX.Element {
  const { messages, turn, isLast, faults } = props;
  const { chat, found } = usePanel();
  const live = useComputed(() => liveRun(chat.value) !== null);
  const busy = isLast && live.value;
  const notice = useNotice(isLast);
  const open = useSignal(none);
  const held = useSignal(none);
  const state = useMemo(() => ({ open, held }), []);
  const groups = groupCalls(messages, held.value);
  const { messageId = '', id } = found.value ?? {};
  const sought = id === messageId ? undefined : groups[messageId]?.key;
  // What was found in a result is to be seen.
  useLayoutEffect(() => {
    if (sought) open.value = new Set([...open.peek(), sought]);
  }, [sought, id]);
  return (
    <article class="msg" aria-label={t(($) => $.chat.assistant)} aria-busy={busy} data-turn={turn}>
      <CallGroupContext.Provider value={state}>
        {messages.map((message, position) => {
          const { key = null, messageIds = '' } = groups[message.id] ?? {};
          return (
            <Fragment key={message.id}>
              {position > 0 && <Versions messageId={message.id} />}
              <AssistantMessageView
                message={message}
                group={key}
                leads={key === message.id ? messageIds : ''}
              />
              <PastFaults runs={faults[message.id]} />
            </Fragment>
          );
        })}
      </CallGroupContext.Provider>
      {!busy && <AnswerFoot messages={messages} isLast={isLast} />}
      {notice}
    </article>
  );
}

const FillField = lazy((views) => views.FillField);
const SaveSteps = lazy((views) => views.SaveSteps);

/** What can be done with an answer, and what it took. Under others than the last while the pointer or the focus is in them. */
function AnswerFoot(props: { messages: AssistantMessage[]; isLast: boolean }): JSX.Element | null {
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

/** Writes an answer anew, by the model of the chat or by another one. */
function Regenerate({ messageId }: { messageId: string }): JSX.Element | null {
  const panel = usePanel();
  const menu = useMenu();
  const isAsked = useComputed(() => choiceFor(panel.setup.value, panel.chat.value.conversation) !== null);
  const title = useNotLive(t(($) => $.messages.regenerateWith));
  if (!isAsked.value) return null;
  const groups = menu.open ? modelGroups(panel.setup.value) : [];
  const again = (...by: [choice?: Pick<ChatChoice, 'providerId' | 'model'>]): void => {
    focusMessage(); // this button goes with the answer
    void panel.messages.regenerate(messageId, ...by);
  };
  return (
    <span class="regenerate">
      <Action icon={RefreshCw} name={t(($) => $.messages.regenerate)} notLive act={() => again()} />
      <MenuButton
        of={menu}
        label={t(($) => $.messages.regenerateWith)}
        title={title}
        class="icon-btn other"
        menuClass="row-menu"
        disabled={panel.live}
      >
        {groups.map(({ provider, models }) => (
          <div key={provider.id} role="group" aria-label={provider.name}>
            <p class="menu-group" aria-hidden="true">
              {provider.name}
            </p>
            {models.map(({ id: model }) => (
              <button
                key={model}
                class="option"
                role="menuitem"
                onClick={() => {
                  menu.close();
                  again({ providerId: provider.id, model });
                }}
              >
                <Icon of={Cpu} small />
                <span class="cut" dir="auto">
                  {modelLabel(provider, model)}
                </span>
              </button>
            ))}
          </div>
        ))}
      </MenuButton>
    </span>
  );
}
