import { X } from 'lucide';
import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { chatFile } from '../../../lib/state/history/chat-file.ts';
import type { ChatFormat } from '../../../lib/state/history/export-chats.ts';
import { promptVariables } from '../../../lib/state/composer/saved-prompts.ts';
import { download } from '../../ui/download.ts';
import { usePanel } from '../../panel-context.ts';
import { useLayer } from '../../ui/overlay/layers.ts';
import { CHORDS } from '../../ui/keys/chords.ts';
import { GrowingArea } from '../../ui/growing-area.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import '../chat-settings/chat-settings.css';
import './menu.css';
import { t } from '../../../locales/texts/panel.ts';
import { units } from '../../../locales/units.ts';

type FormProps = { close: () => void };

/** A small form over the composer; the focus goes to its first field or button. */
function Over(props: {
  title: string;
  close: () => void;
  submit?: () => void;
  children: ComponentChildren;
}): JSX.Element {
  const root = useRef<HTMLFormElement>(null);
  useLayer(true, props.close);
  useLayoutEffect(
    () => root.current?.querySelector<HTMLElement>('.settings-body :is(input, button)')?.focus(),
    [],
  );
  const onSubmit = (event: Event): void => {
    event.preventDefault();
    props.submit?.();
  };
  return (
    <form class="menu settings filling" aria-label={props.title} ref={root} noValidate onSubmit={onSubmit}>
      <div class="pane-head">
        <h2 class="grow cut">{props.title}</h2>
        <IconButton icon={X} label={t(($) => $.actions.cancel)} keys={CHORDS.escape} onClick={props.close} />
      </div>
      <div class="settings-body">{props.children}</div>
    </form>
  );
}

/** One line of text that may not be empty. */
function NameForm(props: {
  title: string;
  label: string;
  start: string;
  empty: string;
  save: string;
  help?: string;
  /** Below the name. */
  children?: ComponentChildren;
  close: () => void;
  /** False when the worker did not take it; the panel says why. */
  take: (name: string) => Promise<boolean>;
}): JSX.Element {
  const id = useId();
  const [name, setName] = useState(props.start);
  const [tried, setTried] = useState(false);
  const bad = tried && name.trim() === '';
  const submit = async (): Promise<void> => {
    setTried(true);
    if (name.trim() !== '' && (await props.take(name.trim()))) props.close();
  };
  return (
    <Over title={props.title} close={props.close} submit={() => void submit()}>
      <div class="field">
        <label for={id}>{props.label}</label>
        <input
          class="input"
          id={id}
          dir="auto"
          autocomplete="off"
          value={name}
          aria-invalid={bad}
          aria-describedby={`${id}-help`}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <p class={bad ? 'help bad' : 'help cut'} id={`${id}-help`}>
          {bad ? props.empty : props.help}
        </p>
      </div>
      {props.children}
      <div class="actions">
        <button class="btn primary">{props.save}</button>
      </div>
    </Over>
  );
}

export function RenameForm({ close }: FormProps): JSX.Element | null {
  const { chat, command } = usePanel();
  const { conversation } = chat.value;
  if (!conversation) return null;
  const { id, title } = conversation;
  return (
    <NameForm
      title={t(($) => $.compose.renameTitle)}
      label={t(($) => $.compose.title)}
      start={title}
      empty={t(($) => $.compose.noTitle)}
      save={t(($) => $.compose.rename)}
      close={close}
      take={async (name) => (await command('setConversation', { id, title: name })) !== undefined}
    />
  );
}

/** @param props.text what is to be read, and may be changed, before it is saved */
export function SavePromptForm(props: FormProps & { text: string }): JSX.Element {
  const { close } = props;
  const { command } = usePanel();
  const id = useId();
  const [text, setText] = useState(props.text.trim());
  const asked = promptVariables(text).map(({ name }) => name);
  if (props.text.trim() === '') {
    return (
      <Over title={t(($) => $.compose.savePromptTitle)} close={close}>
        <p class="muted">{t(($) => $.compose.nothingToSave)}</p>
        <div class="actions">
          <button type="button" class="btn" onClick={close}>
            {t(($) => $.compose.writeFirst)}
          </button>
        </div>
      </Over>
    );
  }
  const isEmpty = text.trim() === '';
  const asks =
    asked.length > 0
      ? t(($) => $.compose.asksFor, { names: units.commas(asked) })
      : t(($) => $.compose.asksNothing);
  return (
    <NameForm
      title={t(($) => $.compose.savePromptTitle)}
      label={t(($) => $.compose.promptName)}
      start=""
      empty={t(($) => $.compose.noPromptName)}
      save={t(($) => $.actions.save)}
      help={t(($) => $.compose.promptHelp)}
      close={close}
      take={async (name) =>
        !isEmpty && (await command('savePrompt', { name, text: text.trim() })) !== undefined
      }
    >
      <div class="field">
        <label for={id}>{t(($) => $.compose.promptText)}</label>
        <GrowingArea
          class="input prompt-text"
          id={id}
          dir="auto"
          autocomplete="off"
          value={text}
          aria-invalid={isEmpty}
          aria-describedby={`${id}-help`}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <p class={isEmpty ? 'help bad' : 'help'} id={`${id}-help`}>
          {isEmpty ? t(($) => $.compose.noPromptText) : asks}
        </p>
      </div>
    </NameForm>
  );
}

export function ExportForm({ close }: FormProps): JSX.Element | null {
  const { chat, exportChats } = usePanel();
  const { conversation } = chat.value;
  if (!conversation) return null;
  const save = async (format: ChatFormat): Promise<void> => {
    const text = await exportChats(format, [conversation.id]);
    if (text === undefined) return;
    const { name, mimeType } = chatFile(conversation.title, format);
    download(name, text, mimeType);
    close();
  };
  return (
    <Over title={t(($) => $.compose.exportTitle)} close={close}>
      <p class="muted">{t(($) => $.compose.exportLead)}</p>
      <div class="actions">
        {(['markdown', 'json', 'openai'] as const).map((format) => (
          <button key={format} type="button" class="btn" onClick={() => void save(format)}>
            {t(($) => $.compose.exportAs[format])}
          </button>
        ))}
      </div>
    </Over>
  );
}
