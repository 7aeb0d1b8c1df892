import { useComputed } from '@preact/signals';
import { ListPlus } from 'lucide';
import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { stepsOf } from '../../../lib/state/chat/steps.ts';
import type { AssistantMessage } from '../../../lib/types/message.ts';
import { callIdOf } from '../../../lib/types/tools/tool-call.ts';
import { usePanel } from '../../panel-context.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { t } from '../../../locales/texts/panel.ts';

/** Makes a prompt of what an answer did, which the user reads and edits before it is saved. */
export function SaveSteps({ messages }: { messages: AssistantMessage[] }): JSX.Element | null {
  const { chat, promptDraft } = usePanel();
  const button = useRef<HTMLButtonElement>(null);
  const calls = useComputed(() => chat.value.calls).value;
  const made = messages.flatMap(({ id, tool_calls: asked = [] }) =>
    asked.flatMap((_, position) => calls[callIdOf(id, position)] ?? []),
  );
  const text = useMemo(() => stepsOf(made), made);
  if (text === '') return null;
  const act = (): void => {
    promptDraft.value = { text, leave: () => button.current?.focus() };
  };
  return (
    <IconButton
      icon={ListPlus}
      small
      label={t(($) => $.compose.savePromptTitle)}
      aria-haspopup="dialog"
      ref={button}
      onClick={act}
    />
  );
}
