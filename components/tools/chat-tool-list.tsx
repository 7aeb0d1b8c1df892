import { RotateCcw } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { choose, type ChatTool, type ToolChoice } from '../../lib/state/settings/chat-tools.ts';
import { visible } from '../../lib/state/shown-text.ts';
import type { ToolChanges } from '../../lib/types/conversation.ts';
import { Icon } from '../ui/icon.tsx';
import { TierBadge } from '../ui/tier-badge.tsx';
import { t } from '../../locales/texts/panel.ts';
import { units } from '../../locales/units.ts';

/** So many tools are drawn at first. */
const FIRST = 12;
/** And so many more at each further press. */
const STEP = 100;

/** A server's tools, each on or off in this chat or as it is for all. */
export function ChatToolList(props: {
  tools: ChatTool[];
  change: (changes: ToolChanges) => void;
}): JSX.Element {
  const { tools, change } = props;
  const [most, setMost] = useState(FIRST);
  // One that would be left alone needs no button of its own.
  const shown = tools.length <= most + 1 ? tools : tools.slice(0, most);
  return (
    <ul class="server-tools">
      {shown.map((tool) => (
        <Tool key={tool.key} tool={tool} set={(choice) => change(choose(tool.key, choice))} />
      ))}
      {shown.length < tools.length && (
        <li>
          <button class="link small" onClick={() => setMost(most + STEP)}>
            {t(($) => $.chatTools.more, { count: tools.length - shown.length })}
          </button>
        </li>
      )}
    </ul>
  );
}

/** Under a heading of their own: they are told of in one tool, and loaded when they are of use. */
export function ChatSkills({
  skills,
  change,
}: {
  skills: ChatTool[];
  change: (changes: ToolChanges) => void;
}): JSX.Element | null {
  if (skills.length === 0) return null;
  return (
    <section aria-label={t(($) => $.skills.title)}>
      <h3 class="small subtle">{t(($) => $.skills.title)}</h3>
      <ChatToolList tools={skills} change={change} />
    </section>
  );
}

function Tool({ tool, set }: { tool: ChatTool; set: (choice: ToolChoice) => void }): JSX.Element {
  const { name, title, tier, on, choice, problem, tokens } = tool;
  const shown = visible(name);
  return (
    <li>
      <label class="check" title={title && visible(title)}>
        <input
          type="checkbox"
          checked={on}
          disabled={problem !== undefined}
          onChange={(event) => set(event.currentTarget.checked ? 'on' : 'off')}
        />
        <span class="cut">{shown}</span>
        {title !== undefined && (
          <span class="tool-title cut" dir="auto">
            {visible(title)}
          </span>
        )}
      </label>
      {problem !== undefined && (
        <span class="badge warn" title={visible(problem)}>
          {t(($) => $.chatTools.unfit)}
          <span class="sr">: {visible(problem)}</span>
        </span>
      )}
      {(tier === 'sends' || tier === 'destructive') && <TierBadge tier={tier} />}
      {choice !== 'inherit' && (
        <button
          class="icon-btn"
          aria-label={t(($) => $.chatTools.resetTool, { name: shown })}
          title={t(($) => $.chatTools.reset)}
          onClick={() => set('inherit')}
        >
          <Icon of={RotateCcw} small />
        </button>
      )}
      <span class="num">{units.amount(tokens)}</span>
    </li>
  );
}
