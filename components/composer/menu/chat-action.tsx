import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { MenuAction } from '../../../lib/state/composer/menu-entries.ts';
import { openSettings, usePanel } from '../../panel-context.ts';
import { lazy } from '../../ui/lazy.tsx';
import { focusMessage } from '../message-field.tsx';

const forms = {
  rename: lazy((views) => views.RenameForm),
  export: lazy((views) => views.ExportForm),
};
const SavePromptForm = lazy((views) => views.SavePromptForm);

/** A text that may become a saved prompt, over the composer. */
export function PromptDraft(): JSX.Element | null {
  const { promptDraft } = usePanel();
  const draft = promptDraft.value;
  if (!draft) return null;
  const close = (): void => {
    promptDraft.value = null;
    draft.leave();
  };
  return <SavePromptForm text={draft.text} close={close} />;
}

/** What the actions of the `/` menu do: at once, or in a form over the composer. */
export function useChatAction() {
  const panel = usePanel();
  const asked = useSignal<keyof typeof forms | null>(null);
  const close = (): void => {
    asked.value = null;
    focusMessage();
  };
  /** @param text what is written in the message */
  const start = (action: MenuAction, text: string): void => {
    const { conversation } = panel.chat.value;
    if (action === 'new') panel.show(null);
    else if (action === 'compact') void panel.compact();
    else if (action === 'delete') {
      if (conversation) void panel.removeChat(conversation);
    } else if (action === 'settings') openSettings('general');
    else if (action === 'prompts') openSettings('prompts');
    else if (action === 'save') panel.promptDraft.value = { text, leave: focusMessage };
    else asked.value = action;
  };
  const Form = asked.value && forms[asked.value];
  return { form: Form && <Form close={close} />, start };
}
