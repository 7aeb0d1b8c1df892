import {
  AlignLeft,
  Captions,
  FileText,
  Languages,
  Lightbulb,
  List,
  PenLine,
  Reply,
  Table,
  X,
  type IconNode,
} from 'lucide';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { watchFront } from '../../../lib/gestures.ts';
import { partOf } from '../../../lib/state/composer/front-page.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { startersOf, type Starter } from '../../../lib/state/composer/starters.ts';
import { STARTERS_OF, type StarterId } from '../../../lib/types/starter.ts';
import { focusMessage } from '../../composer/message-field.tsx';
import { usePanel } from '../../panel-context.ts';
import { Icon } from '../../ui/icon.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import '../../composer/attach/chips.css';
import './starters.css';
import { t } from '../../../locales/texts/panel.ts';

const icons: Record<StarterId, IconNode> = {
  summarise: AlignLeft,
  keyPoints: List,
  explain: Lightbulb,
  translate: Languages,
  rewrite: PenLine,
  draftReply: Reply,
  extractTable: Table,
};

/** So many are offered at once. */
const SHOWN = 3;

/** The page in front, to be attached, and what can be asked of it, or of what is selected there, in one press. */
export function Starters(): JSX.Element | null {
  const { front, attaching, chat, setup, askOfFront } = usePanel();
  useEffect(() => watchFront(() => void front.look()), []);
  const page = front.page.value;
  if (!page || chat.value.attachments.length + attaching.adding.value.length > 0) return null;
  const part = page.hasSelection ? 'selection' : 'page';
  const title = page.title ?? t(($) => $.start.page);
  const starters = startersOf(setup.value?.settings.starters ?? {}, STARTERS_OF[part]).slice(0, SHOWN);
  const attach = (): void => {
    void attaching.attachPage(partOf({ ...page, hasSelection: false }));
    focusMessage();
  };
  const attachTranscript = (): void => {
    const { tabId, url } = page;
    const named = { title, ...(url !== undefined && { url }) };
    void attaching.attachPage({ part: 'transcript', tabId, ...named });
    focusMessage();
  };
  const ask = (starter: Starter): void => {
    void askOfFront(starter);
    focusMessage();
  };
  const decline = (): void => {
    front.decline();
    focusMessage();
  };
  return (
    <div>
      <div class="chip offered">
        <button title={t(($) => $.start.attachPage, { title: visible(title) })} onClick={attach}>
          <Icon of={FileText} small />
          <span class="cut" dir="auto">
            {visible(title)}
          </span>
        </button>
        <IconButton icon={X} small label={t(($) => $.start.dropPage)} onClick={decline} />
      </div>{' '}
      {page.hasTranscript && (
        <div class="chip offered">
          <button onClick={attachTranscript}>
            <Icon of={Captions} small />
            <span class="cut">{t(($) => $.pages.parts.transcript)}</span>
          </button>
        </div>
      )}
      <div
        class="suggest"
        role="group"
        aria-label={part === 'selection' ? t(($) => $.start.aboutSelection) : t(($) => $.start.aboutPage)}
      >
        {starters.map((starter) => (
          <button key={starter.id} title={starter.text} onClick={() => ask(starter)}>
            <Icon of={icons[starter.id]} />
            <span class="cut">{starter.name}</span>
          </button>
        ))}
      </div>
    </div>
  );
}
