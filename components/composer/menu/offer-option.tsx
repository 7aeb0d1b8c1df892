import {
  BookOpen,
  Bookmark,
  BookmarkPlus,
  Braces,
  Download,
  FileText,
  FoldVertical,
  MessageSquareQuote,
  PanelsTopLeft,
  Paperclip,
  Pencil,
  Settings,
  Sparkles,
  SquarePen,
  Trash,
  type IconNode,
} from 'lucide';
import type { JSX } from 'preact';
import type { MenuAction, MenuEntry } from '../../../lib/state/composer/menu-entries.ts';
import { promptVariables } from '../../../lib/state/composer/saved-prompts.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import type { PromptArgument } from '../../../lib/types/offer.ts';
import { GivenIcon } from '../../ui/given-icon.tsx';
import { Icon } from '../../ui/icon.tsx';
import { partIcons } from '../attach/kind-icon.ts';
import { MenuOption } from './menu-option.tsx';
import './offers.css';
import { t } from '../../../locales/texts/panel.ts';
import { phrases } from '../../../locales/phrases.ts';

const kindIcons: Record<Exclude<MenuEntry['type'], 'action' | 'page'>, IconNode> = {
  prompt: MessageSquareQuote,
  skill: BookOpen,
  resource: FileText,
  template: Braces,
  saved: Bookmark,
  starter: Sparkles,
  files: Paperclip,
  tab_names: PanelsTopLeft,
};

const actionIcons: Record<MenuAction, IconNode> = {
  save: BookmarkPlus,
  new: SquarePen,
  compact: FoldVertical,
  rename: Pencil,
  export: Download,
  delete: Trash,
  prompts: Bookmark,
  settings: Settings,
};

/** Characters that have room in two lines: a hundred descriptions of thousands each are laid out for seconds. */
const MOST = 500;

/** One line of a menu: what it is, and what choosing it puts into the message or does. */
export function OfferOption(props: {
  id: string;
  entry: MenuEntry;
  position: number;
  active: number;
  point: (position: number) => void;
  choose: (entry: MenuEntry) => void;
}): JSX.Element {
  const { id, entry, position, active, point, choose } = props;
  return (
    <MenuOption
      id={id}
      position={position}
      active={active}
      class={entry.type === 'action' ? 'does' : ''}
      point={point}
      choose={() => choose(entry)}
    >
      <EntryIcon entry={entry} />
      <OptionText entry={entry} reached={position === active} />
    </MenuOption>
  );
}

function EntryIcon({ entry }: { entry: MenuEntry }): JSX.Element {
  if (entry.type === 'action') return <Icon of={actionIcons[entry.action]} />;
  if (entry.type === 'page') return <Icon of={partIcons[entry.part]} />;
  const icons = 'offer' in entry && 'icons' in entry.offer ? entry.offer.icons : undefined;
  return <GivenIcon icons={icons} otherwise={kindIcons[entry.type]} />;
}

function OptionText({ entry, reached }: { entry: MenuEntry; reached: boolean }): JSX.Element {
  if ('group' in entry) return <PageText {...entry} />;
  if (entry.type === 'action') return <ActionText action={entry.action} />;
  if (entry.type === 'files') return <FilesText />;
  if (entry.type === 'starter') {
    const { name, text } = entry.starter;
    return <PromptText name={name} asked={[]} sub={text} reached={reached} />;
  }
  if (entry.type === 'saved') {
    const { name, text } = entry.prompt;
    return <PromptText name={name} asked={promptVariables(text)} sub={text} reached={reached} />;
  }
  if (entry.type === 'prompt') {
    const { name, title, description, arguments: asked } = entry.offer;
    const sub = [title, description].filter((text) => text && text !== name).join(': ');
    return <PromptText name={name} asked={asked} sub={sub} reached={reached} />;
  }
  if (entry.type === 'skill') {
    const { name, description } = entry.offer;
    return <PromptText name={name} asked={[]} sub={description} reached={reached} />;
  }
  const { name, title, description } = entry.offer;
  const address = entry.type === 'resource' ? entry.offer.uri : entry.offer.uriTemplate;
  const size = entry.type === 'resource' ? entry.offer.size : undefined;
  return (
    <>
      <span class="cut" title={visible(description)}>
        {visible(title ?? name)}
        {entry.type === 'template' && '…'}
      </span>
      <span class="small subtle num">{size !== undefined && phrases.file(undefined, size)}</span>
      <span class="sub cut" dir="auto">
        {visible(address.slice(0, MOST))}
      </span>
    </>
  );
}

function PromptText(props: {
  name: string;
  asked: PromptArgument[];
  sub: string;
  reached: boolean;
}): JSX.Element {
  const { name, asked, sub, reached } = props;
  return (
    <>
      <span class="cut">
        <span class="cmd">{visible(name)}</span>{' '}
        <span class="arg">
          {visible(
            asked
              .map((each) => each.name)
              .join(' ')
              .slice(0, MOST),
          )}
        </span>
      </span>
      {reached && asked.length > 0 ? <kbd aria-hidden="true">Tab</kbd> : <span />}
      {sub !== '' && <span class="sub clamp">{visible(sub.slice(0, MOST))}</span>}
    </>
  );
}

function ActionText({ action }: { action: MenuAction }): JSX.Element {
  return (
    <>
      <span class="cmd">{t(($) => $.compose.actions[action])}</span>
      <span class="small subtle">{t(($) => $.compose.does[action])}</span>
    </>
  );
}

function PageText({ title, sub }: { title: string; sub: string }): JSX.Element {
  return (
    <>
      <span class="cut" dir="auto">
        {visible(title)}
      </span>
      <span />
      <span class="sub cut" dir="auto">
        {visible(sub)}
      </span>
    </>
  );
}

function FilesText(): JSX.Element {
  return (
    <>
      <span class="cut">{t(($) => $.compose.files)}</span>
      <span />
      <span class="sub cut">{t(($) => $.compose.filesSub)}</span>
    </>
  );
}
