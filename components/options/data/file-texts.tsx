import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { FileText } from '../../../lib/protocol/data.ts';
import { starterOf } from '../../../lib/state/composer/starters.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import type { StarterId } from '../../../lib/types/starter.ts';
import { useLayer } from '../../ui/overlay/layers.ts';
import { WorkButton } from '../form/work-button.tsx';
import { t } from '../../../locales/texts/settings.ts';

const TYPES = ['system', 'starter', 'assistant', 'prompt', 'note'] as const satisfies FileText['type'][];

/**
 * All texts of a file of settings that would be sent for the user, whole, before any of them is added. The button comes
 * after the last of them.
 */
export function FileTexts(props: {
  texts: FileText[];
  busy: boolean;
  confirm: () => void;
  dismiss: () => void;
}): JSX.Element {
  const { texts, busy } = props;
  const group = useRef<HTMLDivElement>(null);
  useLayer(true, props.dismiss);
  useLayoutEffect(() => group.current?.focus(), []);
  return (
    <div
      class="notice file-texts"
      role="group"
      aria-label={t(($) => $.data.texts.title)}
      tabIndex={-1}
      ref={group}
    >
      <p>
        <strong>{t(($) => $.data.texts.title)}</strong> {t(($) => $.data.texts.lead)}
      </p>
      {TYPES.map((type) => (
        <TextsOfType key={type} title={titleOf(type)} texts={texts.filter((each) => each.type === type)} />
      ))}
      <div class="actions">
        <WorkButton class="primary" busy={busy} press={props.confirm}>
          {t(($) => $.data.import)}
        </WorkButton>
        <button type="button" class="btn quiet" onClick={props.dismiss}>
          {t(($) => $.options.cancel)}
        </button>
      </div>
    </div>
  );
}

function TextsOfType({ title, texts }: { title: string; texts: FileText[] }): JSX.Element | null {
  if (texts.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      {texts.map((each, place) => (
        <div key={place}>
          {'name' in each && each.name !== undefined && <p class="small">{nameOf(each.type, each.name)}</p>}
          <pre dir="auto">{each.text}</pre>
          {each.invisible > 0 && (
            <p class="small muted">{t(($) => $.data.texts.removed, { count: each.invisible })}</p>
          )}
        </div>
      ))}
    </section>
  );
}

function titleOf(type: FileText['type']): string {
  switch (type) {
    case 'system':
      return t(($) => $.general.system);
    case 'starter':
      return t(($) => $.prompts.starters.title);
    case 'assistant':
      return t(($) => $.assistants.title);
    case 'prompt':
      return t(($) => $.prompts.title);
    case 'note':
      return t(($) => $.memory.title);
  }
}

const nameOf = (type: FileText['type'], name: string): string =>
  type === 'starter' ? starterOf(name as StarterId, {}).name : visible(name);
