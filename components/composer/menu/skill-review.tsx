import { LoaderCircle, X } from 'lucide';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ServerSkill } from '../../../lib/protocol/attached.ts';
import type { ListedTool } from '../../../lib/protocol/tools.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { usePanel } from '../../panel-context.ts';
import { DefinitionDiff } from '../../ui/definition-diff.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { CHORDS } from '../../ui/keys/chords.ts';
import { useLayer } from '../../ui/overlay/layers.ts';
import { useFocusAfter } from '../../ui/overlay/use-focus-after.ts';
import '../chat-settings/chat-settings.css';
import './menu.css';
import './offers.css';
import { t } from '../../../locales/texts/panel.ts';

/** What a skill's server lists of it, or has changed since it was allowed, before it is loaded: its text is not read until then. */
export function SkillReview({ skill, close }: { skill: ServerSkill; close: () => void }): JSX.Element {
  const { menu, command } = usePanel();
  const { serverId, uri, serverName, description } = skill;
  const root = useRef<HTMLFormElement>(null);
  const [listed, setListed] = useState<ListedTool>();
  const review = listed?.review;
  useLayer(true, close);
  useFocusAfter(root);
  useLayoutEffect(() => root.current?.querySelector('button')?.focus(), []);
  useEffect(() => {
    let isWanted = true;
    void command('listTools', { serverId, name: uri, all: true }).then(
      (found) => isWanted && setListed(found?.reply[0]),
    );
    return () => void (isWanted = false);
  }, [serverId, uri]);
  const name = visible(skill.name);
  const onSubmit = (event: Event): void => {
    event.preventDefault();
    if (review) void menu.accept({ fingerprint: listed.fingerprint });
  };
  return (
    <form
      class="menu settings filling"
      aria-label={t(($) => $.skills.review, { name })}
      ref={root}
      onSubmit={onSubmit}
    >
      <div class="pane-head">
        <h2 class="grow cut">{name}</h2>
        <span class="small subtle cut">{visible(serverName)}</span>
        <IconButton icon={X} label={t(($) => $.actions.cancel)} keys={CHORDS.escape} onClick={close} />
      </div>
      <div class="settings-body">
        <p class="muted">{visible(description)}</p>
        <p class="small">{t(($) => $.skills.asked, { review: review?.before ? 'changed' : 'new' })}</p>
        {review ? <DefinitionDiff review={review} /> : <Icon of={LoaderCircle} small spins />}
        <div class="actions">
          <button class="btn primary" disabled={!review}>
            {t(($) => $.skills.allow)}
          </button>
        </div>
      </div>
    </form>
  );
}
