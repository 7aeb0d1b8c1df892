import { computed, type ReadonlySignal } from '@preact/signals';
import { Check, Copy, GitBranch, Trash2, type IconNode } from 'lucide';
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { focusMessage } from '../../composer/message-field.tsx';
import { usePanel } from '../../panel-context.ts';
import type { Chord } from '../../ui/keys/chords.ts';
import { Icon } from '../../ui/icon.tsx';
import { withKeys } from '../../ui/keys/key-label.ts';
import { focusUndo } from '../../ui/undo-lines.tsx';
import { t } from '../../../locales/texts/panel.ts';

/** How long a button says what it did. */
const SAID_MS = 2000;

export type ActionProps = {
  icon: IconNode;
  name: string;
  act: () => void;
  /** It would be refused while a run is live. */
  notLive?: boolean;
  /** The keys that do the same, as long as they do. */
  keys?: ReadonlySignal<Chord | null>;
};

/** The title of a button that can't be used while a run is live: two of its attributes change then, and nothing is drawn again. */
export function useNotLive(name: string, keys?: ActionProps['keys']): ReadonlySignal<string> {
  const { live } = usePanel();
  return useMemo(
    () =>
      computed(() => {
        if (live.value) return t(($) => $.messages.live);
        return keys?.value ? withKeys(name, keys.value) : name;
      }),
    [live, name, keys],
  );
}

/** A button beneath a message. */
export function Action({ icon, name, act, notLive = false, keys }: ActionProps): JSX.Element {
  const { live } = usePanel();
  const title = useNotLive(name, keys);
  return (
    <button
      class="icon-btn"
      aria-label={name}
      title={notLive ? title : name}
      disabled={notLive && live}
      onClick={act}
    >
      <Icon of={icon} small />
    </button>
  );
}

/** Puts the message's markdown where it can be pasted from. */
export function CopyAction({ text }: { text: () => string }): JSX.Element {
  const [said, say] = useState<'copied' | 'notCopied' | null>(null);
  useEffect(() => {
    if (!said) return undefined;
    const timer = setTimeout(() => say(null), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = (): void => {
    navigator.clipboard.writeText(text()).then(
      () => say('copied'),
      () => say('notCopied'),
    );
  };
  return (
    <>
      <Action icon={said === 'copied' ? Check : Copy} name={t(($) => $.messages.copy)} act={copy} />
      <span class="said" role="status">
        {said && t(($) => $.messages[said])}
      </span>
    </>
  );
}

export function BranchAction({ messageId }: { messageId: string }): JSX.Element {
  const { messages } = usePanel();
  const act = (): void => {
    focusMessage(); // this button goes with the chat
    void messages.branch(messageId);
  };
  return <Action icon={GitBranch} name={t(($) => $.messages.branch)} act={act} />;
}

export function DeleteAction({ messageId }: { messageId: string }): JSX.Element {
  const { messages } = usePanel();
  const act = (): void => void messages.remove(messageId).then(focusUndo);
  return <Action icon={Trash2} name={t(($) => $.actions.delete)} notLive act={act} />;
}
