import { X } from 'lucide';
import type { JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { NEW_CHAT } from '../../../lib/protocol/chats.ts';
import {
  draftOf,
  readSettings,
  type MemoryChoice,
  type SettingsDraft,
  type SettingsFaults,
} from '../../../lib/state/settings/chat-settings.ts';
import type { Choice } from '../../../lib/state/composer/choice.ts';
import { createLater } from '../../../lib/state/later.ts';
import { REASONING_EFFORTS } from '../../../lib/types/model.ts';
import type { ChatChange, ChatChoice } from '../../../lib/types/conversation.ts';
import { usePanel } from '../../panel-context.ts';
import { useLayer } from '../../ui/overlay/layers.ts';
import { Assistants } from './assistants.tsx';
import { ProjectField } from './project-field.tsx';
import { CHORDS } from '../../ui/keys/chords.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import '../menu/menu.css';
import './chat-settings.css';
import { t } from '../../../locales/texts/panel.ts';
import { phrases } from '../../../locales/phrases.ts';

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
        <div class="pop-head">
          <h2 class="grow" id={`${id}-title`}>
            {t(($) => $.composer.settings)}
          </h2>
          <IconButton icon={X} label={t(($) => $.settings.close)} keys={CHORDS.escape} onClick={close} />
        </div>
        <div class="settings-body">
          <ProjectField />
          <Assistants choice={{ ...choice, settings }} adopt={adopt} />
          <Fields id={id} draft={draft} faults={faults} change={change} choice={choice} />
          <p class="help">{t(($) => $.settings.applies)}</p>
          {total && <p class="help">{t(($) => $.usage.total, { amounts: phrases.usage(total) })}</p>}
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
  id: string;
  draft: SettingsDraft;
  faults: SettingsFaults;
  change: (change: Partial<SettingsDraft>) => void;
  choice: Choice;
}): JSX.Element {
  const { id, draft, faults, change, choice } = props;
  return (
    <>
      <div class="field">
        <label for={`${id}-system`}>{t(($) => $.settings.system)}</label>
        <textarea
          class="input"
          id={`${id}-system`}
          rows={3}
          placeholder={t(($) => $.settings.systemHint)}
          value={draft.system}
          onInput={(event) => change({ system: event.currentTarget.value })}
        />
      </div>
      <div class="settings-pair">
        <NumberField
          id={`${id}-temperature`}
          label={t(($) => $.settings.temperature)}
          value={draft.temperature}
          fault={faults.temperature}
          type={(temperature) => change({ temperature })}
        />
        <NumberField
          id={`${id}-max`}
          label={t(($) => $.settings.maxTokens)}
          value={draft.maxTokens}
          fault={faults.maxTokens}
          type={(maxTokens) => change({ maxTokens })}
        />
      </div>
      {choice.traits.reasoning !== false && (
        <div class="field">
          <label for={`${id}-effort`}>{t(($) => $.settings.effort)}</label>
          <select
            class="select"
            id={`${id}-effort`}
            value={draft.reasoningEffort}
            onChange={({ currentTarget }) =>
              change({
                reasoningEffort: REASONING_EFFORTS.find((effort) => effort === currentTarget.value) ?? '',
              })
            }
          >
            <option value="">{t(($) => $.settings.default)}</option>
            {REASONING_EFFORTS.map((effort) => (
              <option key={effort} value={effort}>
                {t(($) => $.settings.efforts[effort])}
              </option>
            ))}
          </select>
        </div>
      )}
      <div class="field">
        <label for={`${id}-memory`}>{t(($) => $.settings.memory)}</label>
        <select
          class="select"
          id={`${id}-memory`}
          value={draft.memory}
          onChange={({ currentTarget }) => change({ memory: currentTarget.value as MemoryChoice })}
        >
          {Object.entries(t(($) => $.settings.memories)).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </div>
    </>
  );
}

/** A text field, since one of type number forgets what is no number. */
function NumberField(props: {
  id: string;
  label: string;
  value: string;
  fault: string | undefined;
  type: (text: string) => void;
}): JSX.Element {
  const { id, label, value, fault, type } = props;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        class="input"
        id={id}
        type="text"
        inputMode="decimal"
        autocomplete="off"
        placeholder={t(($) => $.settings.modelDefault)}
        value={value}
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : `${id}-fault`}
        onInput={(event) => type(event.currentTarget.value)}
      />
      {fault !== undefined && (
        <p class="help bad" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}
