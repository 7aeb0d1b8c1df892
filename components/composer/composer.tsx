import { useSignal } from '@preact/signals';
import { TriangleAlert, Paperclip } from 'lucide';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { watchFront } from '../../lib/gestures.ts';
import { type Choice, choiceFor, providerRemoved } from '../../lib/state/composer/choice.ts';
import type { MenuEntry } from '../../lib/state/composer/menu-entries.ts';
import { notesOf } from '../../lib/types/note.ts';
import { projectIn } from '../../lib/types/project.ts';
import type { When } from '../../lib/state/composer/starting.ts';
import { usePanel } from '../panel-context.ts';
import { useOwnModEnter } from '../ui/keys/decisions.ts';
import { Icon } from '../ui/icon.tsx';
import { lazy } from '../ui/lazy.tsx';
import { PromptDraft, useChatAction } from './menu/chat-action.tsx';
import { ComposerBar } from './composer-bar.tsx';
import { enterDoes, usualWay, type SendSettings } from './enter-key.ts';
import { PromptStatus, usePromptGuard } from './menu/prompt-status.tsx';
import { Filling, focusMessage, MessageField } from './message-field.tsx';
import { Where } from './chat-settings/where.tsx';
import './attach/drop-zone.css';
import './composer.css';
import { t } from '../../locales/texts/panel.ts';
import { useFileDrop } from '../ui/use-file-drop.ts';

const DraftChips = lazy((views) => views.DraftChips);
const MemoryChip = lazy((views) => views.MemoryChip);
const ProjectChip = lazy((views) => views.ProjectChip);
const ChatSettings = lazy((views) => views.ChatSettings);

/** Until the worker has told what the user wants. */
const defaults: SendSettings = { enterSends: true, whileLive: 'queue' };

/** Where the user writes. The text stays until the worker has taken it. */
export function Composer(): JSX.Element {
  const panel = usePanel();
  const setup = panel.setup.value;
  const choice = choiceFor(setup, panel.chat.value.conversation);
  // What is still being read goes with the message that it was meant for.
  const reading = panel.attaching.adding.value.some(({ error }) => !error);
  const something = panel.text.value.trim() !== '' || panel.chat.value.attachments.length > 0;
  const ready = choice !== null && something && !reading && !panel.starting.value;
  const live = panel.live.value;
  const form = useRef<HTMLFormElement>(null);
  // With nothing to send the key may allow a call that waits, but not at once.
  useOwnModEnter(form, something);
  const sending = setup?.settings ?? defaults;
  const settings = { isOpen: useSignal(false), button: useRef<HTMLButtonElement>(null) };
  const closeSettings = (): void => {
    settings.isOpen.value = false;
    settings.button.current?.focus();
  };
  const picker = useRef<HTMLInputElement>(null);
  const pick = (): void => {
    const { files } = picker.current ?? {};
    if (files) void panel.attaching.attachFiles([...files]);
    // The same file can be chosen again.
    if (picker.current) picker.current.value = '';
    focusMessage();
  };
  const action = useChatAction();
  const choose = (entry: MenuEntry): void => {
    if (entry.type === 'files') {
      panel.menu.take();
      picker.current?.click();
    } else if (entry.type === 'action') action.start(entry.action, panel.menu.take());
    else if (entry.type === 'starter') void panel.menu.chooseStarter(entry.starter);
    else if ('group' in entry) void panel.menu.choosePage(entry);
    else void panel.menu.choose(entry);
  };
  const send = (when: When = usualWay(sending)): void => {
    if (ready) void panel.send(when);
    else if (reading && choice) panel.heldSend.hold(when);
    focusMessage();
  };
  const isForPrompt = usePromptGuard();
  const onSubmit = (event: Event): void => {
    event.preventDefault();
    send();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // An Enter that only ends the composition of a character is not a wish to send.
    if (event.key !== 'Enter' || event.isComposing) return;
    const when = enterDoes(event, sending);
    if (when === null || (!something && (event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
    if (!isForPrompt()) send(when);
  };
  return (
    <>
      <form class="composer" ref={form} onSubmit={onSubmit}>
        <ComposerChips choice={choice} />
        <PromptStatus />
        <MessageField
          placeholder={placeholder({ noModel: setup !== null && !choice, live })}
          onKeyDown={onKeyDown}
          choose={choose}
        />
        <input type="file" multiple hidden ref={picker} onChange={pick} />
        <ComposerBar choice={choice} settings={settings} sending={sending} ready={ready} send={send} />
      </form>
      <Filling />
      {action.form}
      <PromptDraft />
      <DropZone />
      {choice && settings.isOpen.value && (
        <ChatSettings key={panel.chat.value.conversation?.id ?? ''} choice={choice} close={closeSettings} />
      )}
      <ComposerNotes choice={choice} isWritten={something} />
    </>
  );
}

/** What goes with the message, above it. */
function ComposerChips({ choice }: { choice: Choice | null }): JSX.Element {
  const panel = usePanel();
  const setup = panel.setup.value;
  const { attachments, conversation } = panel.chat.value;
  const project = setup ? projectIn(setup.projects, conversation ?? setup.newChat) : undefined;
  const notes =
    choice && setup
      ? notesOf(setup.notes, choice.settings, setup.settings.memory, project?.isOff ? undefined : project)
      : [];
  const { isLooking, sent, look } = panel.changedPages;
  const [mayChange, changedPage] = [isLooking.value, sent.value];
  useEffect(() => (mayChange ? watchFront(() => void look()) : undefined), [mayChange]);
  return (
    <>
      {project && <ProjectChip project={project} />}
      {notes.length > 0 && <MemoryChip notes={notes} />}
      {(attachments.length > 0 || panel.attaching.adding.value.length > 0 || changedPage) && <DraftChips />}
    </>
  );
}

/** What the user is told below the composer: what sending waits for, and where the message goes. */
function ComposerNotes({ choice, isWritten }: { choice: Choice | null; isWritten: boolean }): JSX.Element {
  const panel = usePanel();
  const setup = panel.setup.value;
  const removed = providerRemoved(setup, panel.chat.value.conversation);
  return (
    <>
      {panel.heldSend.isHeld.value && (
        <p class="where" role="status">
          {t(($) => $.composer.sendsWhenRead)}
        </p>
      )}
      {choice && <Where choice={choice} />}
      {setup && !choice && isWritten && !removed && (
        <p class="where" role="status">
          {t(($) => $.composer.waitsForModel)}
        </p>
      )}
      {removed && (
        <p class="where removed" role="status">
          <Icon of={TriangleAlert} />
          {t(($) => $.composer.providerRemoved)}
        </p>
      )}
    </>
  );
}

/** What becomes of a message. One that is sent while a call waits for the user is queued like any other. */
export function placeholder({ noModel, live }: { noModel: boolean; live: boolean }): string {
  if (noModel) return t(($) => $.composer.noModelYet);
  return live ? t(($) => $.composer.another) : t(($) => $.composer.ask);
}

/** The whole panel takes what is dropped on it; this says so while something is held over it. */
function DropZone(): JSX.Element | null {
  const { attaching } = usePanel();
  const isOver = useFileDrop((files) => void attaching.attachFiles(files));
  if (!isOver) return null;
  return (
    <div class="drop-zone" role="status">
      <Icon of={Paperclip} />
      <strong>{t(($) => $.compose.drop)}</strong>
      <span class="small">{t(($) => $.compose.dropSub)}</span>
    </div>
  );
}
