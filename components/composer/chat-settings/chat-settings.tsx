import { X } from 'lucide';
import type { JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { NEW_CHAT } from '../../../lib/protocol/chats.ts';
import {
  draftOf,
  readSettings,
  type SettingsDraft,
  type SettingsFaults,
} from '../../../lib/state/settings/chat-settings.ts';
import type { Choice } from '../../../lib/state/composer/choice.ts';
import { createLater } from '../../../lib/state/later.ts';
import type { ChatChange, ChatChoice } from '../../../lib/types/conversation.ts';
import { usePanel, openSettings } from '../../panel-context.ts';
import { useLayer } from '../../ui/overlay/layers.ts';
import { Assistants } from './assistants.tsx';
import { CHORDS } from '../../ui/keys/chords.ts';
import { Field, fieldsOf, SelectField } from '../../ui/fields.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import '../menu/menu.css';
import './chat-settings.css';
import { t } from '../../../locales/texts/panel.ts';
import { usageWords } from '../../../lib/state/chat/usage.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { projectIn } from '../../../lib/types/project.ts';

/** How this chat's model is asked. Every change is saved by itself. */
export function ChatSettings({ choice, close }: { choice: Choice; close: () => void }): JSX.Element {
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const total = usePanel().chat.value.conversation?.usage;
  const { draft, settings, faults, change, adopt } = useSettings(choice);
  useLayer(true, close);
  useLayoutEffect(() => root.current?.querySelector<HTMLElement>('select, textarea')?.focus(), []);
  return (
    <>
      <div class="away" onClick={close} />
      <div class="menu settings" role="dialog" aria-labelledby={`${id}-title`} ref={root}>
        <div class="pane-head">
          <h2 class="grow" id={`${id}-title`}>
            {t(($) => $.composer.settings)}
          </h2>
          <IconButton icon={X} label={t(($) => $.settings.close)} keys={CHORDS.escape} onClick={close} />
        </div>
        <div class="settings-body">
          <ProjectField />
          <Assistants choice={{ ...choice, settings }} adopt={adopt} />
          <Fields draft={draft} set={change} faults={faults} choice={choice} />
          <p class="help">{t(($) => $.settings.applies)}</p>
          {total && <p class="help">{t(($) => $.usage.total, { amounts: usageWords(total) })}</p>}
        </div>
      </div>
    </>
  );
}

/** The fields' texts, saved a moment after each change and when the page or the popover goes. */
function useSettings(choice: Choice): {
  draft: SettingsDraft;
  /** The fields as they were last without a fault, each by itself. */
  settings: Choice['settings'];
  faults: SettingsFaults;
  change: (change: Partial<SettingsDraft>) => void;
  adopt: (other: ChatChoice) => void;
} {
  const { chat, command } = usePanel();
  const [conversationId] = useState(chat.value.conversation?.id ?? NEW_CHAT);
  const [draft, setDraft] = useState(() => draftOf(choice.settings));
  const [settings, setSettings] = useState(choice.settings);
  const later = useMemo(
    () => createLater((change: ChatChange) => void command('setChat', { conversationId, ...change })),
    [command, conversationId],
  );
  useEffect(() => {
    document.addEventListener('visibilitychange', later.flush);
    return () => {
      document.removeEventListener('visibilitychange', later.flush);
      later.flush();
    };
  }, [later]);
  return {
    draft,
    settings,
    faults: readSettings(draft).faults,
    change(change) {
      const next = { ...draft, ...change };
      setDraft(next);
      const read = readSettings(next, settings).settings;
      setSettings(read);
      later.put({ settings: read });
    },
    adopt({ providerId, model, settings: adopted }) {
      setDraft(draftOf(adopted));
      setSettings(adopted);
      later.put({ providerId, model, settings: adopted });
      later.flush();
    },
  };
}

function Fields(props: {
  draft: SettingsDraft;
  set: (change: Partial<SettingsDraft>) => void;
  faults: SettingsFaults;
  choice: Choice;
}): JSX.Element {
  const field = fieldsOf(props);
  return (
    <>
      <Field
        label={t(($) => $.settings.system)}
        {...field('system')}
        control={(control) => (
          <textarea {...control} class="input" rows={3} placeholder={t(($) => $.settings.systemHint)} />
        )}
      />
      <div class="settings-pair">
        {(['temperature', 'maxTokens'] as const).map((name) => (
          <Field
            key={name}
            label={t(($) => $.settings[name])}
            {...field(name)}
            control={(control) => (
              <input
                {...control}
                class="input"
                // One of type number forgets what is no number.
                type="text"
                inputMode="decimal"
                autocomplete="off"
                placeholder={t(($) => $.settings.modelDefault)}
              />
            )}
          />
        ))}
      </div>
      {props.choice.traits.reasoning !== false && (
        <SelectField
          label={t(($) => $.settings.effort)}
          {...field('reasoningEffort')}
          options={{ '': t(($) => $.settings.default), ...t(($) => $.settings.efforts) }}
        />
      )}
      <SelectField
        label={t(($) => $.settings.memory)}
        {...field('memory')}
        options={t(($) => $.settings.memories)}
      />
    </>
  );
}

/** The project that this chat belongs to. */
function ProjectField(): JSX.Element {
  const { chat, setup, setChat } = usePanel();
  const id = useId();
  const { projects = [], newChat } = setup.value ?? {};
  return (
    <div class="field">
      <label for={id}>{t(($) => $.projects.label)}</label>
      <div class="settings-row">
        <select
          class="select"
          id={id}
          value={projectIn(projects, chat.value.conversation ?? newChat)?.key ?? ''}
          onChange={({ currentTarget }) => void setChat({ project: currentTarget.value || null })}
        >
          <option value="">{t(($) => $.settings.noAssistant)}</option>
          {projects.map(({ key, name }) => (
            <option key={key} value={key}>
              {visible(name)}
            </option>
          ))}
        </select>
        <button class="btn" onClick={() => openSettings('projects/add')}>
          {t(($) => $.projects.add)}
        </button>
      </div>
    </div>
  );
}
