import {
  Bookmark,
  BookmarkPlus,
  Braces,
  Download,
  FileText,
  MessageSquareQuote,
  Paperclip,
  Pencil,
  Settings,
  SquarePen,
  Trash,
  type IconNode,
} from 'lucide';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { en } from '../../locales/en.ts';
import type { MenuAction, MenuEntry } from '../../lib/state/offers.ts';
import { promptVariables } from '../../lib/state/saved-prompts.ts';
import { visible } from '../../lib/state/shown-text.ts';
import type { PromptArgument } from '../../lib/types/offer.ts';
import { GivenIcon } from '../ui/given-icon.tsx';
import { Icon } from '../ui/icon.tsx';
import './menu.css';
import './offers.css';

const kindIcons: Record<Exclude<MenuEntry['type'], 'action'>, IconNode> = {
  prompt: MessageSquareQuote,
  resource: FileText,
  template: Braces,
  saved: Bookmark,
  files: Paperclip,
};

const actionIcons: Record<MenuAction, IconNode> = {
  save: BookmarkPlus,
  new: SquarePen,
  rename: Pencil,
  export: Download,
  delete: Trash,
  prompts: Bookmark,
  settings: Settings,
};

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
  const line = useRef<HTMLDivElement>(null);
  const reached = position === active;
  useLayoutEffect(() => {
    if (reached) line.current?.scrollIntoView({ block: 'nearest' });
  }, [reached]);
  return (
    <div
      class="option"
      role="option"
      id={`${id}-${position}`}
      aria-selected={reached}
      ref={line}
      onClick={() => choose(entry)}
      onMouseMove={() => reached || point(position)}
    >
      <EntryIcon entry={entry} />
      <OptionText entry={entry} reached={reached} />
    </div>
  );
}

function EntryIcon({ entry }: { entry: MenuEntry }): JSX.Element {
  if (entry.type === 'action') return <Icon of={actionIcons[entry.action]} />;
  const icons = 'offer' in entry ? entry.offer.icons : undefined;
  return <GivenIcon icons={icons} otherwise={kindIcons[entry.type]} />;
}

function OptionText({ entry, reached }: { entry: MenuEntry; reached: boolean }): JSX.Element {
  if (entry.type === 'action') return <ActionText action={entry.action} />;
  if (entry.type === 'files') return <FilesText />;
  if (entry.type === 'saved') {
    const { name, text } = entry.prompt;
    return <PromptText name={name} asked={promptVariables(text)} sub={text} reached={reached} />;
  }
  if (entry.type === 'prompt') {
    const { name, title, description, arguments: asked } = entry.offer;
    const sub = [title, description].filter((text) => text && text !== name).join(': ');
    return <PromptText name={name} asked={asked} sub={sub} reached={reached} />;
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
      <span class="small subtle num">{size !== undefined && en.tool.file(undefined, size)}</span>
      <span class="sub cut">{visible(address)}</span>
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
        <span class="arg">{visible(asked.map((each) => each.name).join(' '))}</span>
      </span>
      {reached && asked.length > 0 ? <kbd aria-hidden="true">Tab</kbd> : <span />}
      {sub !== '' && <span class="sub clamp">{visible(sub)}</span>}
    </>
  );
}

function ActionText({ action }: { action: MenuAction }): JSX.Element {
  return (
    <>
      <span class="cmd">{en.compose.actions[action]}</span>
      <span class="small subtle">{en.compose.does[action]}</span>
    </>
  );
}

function FilesText(): JSX.Element {
  return (
    <>
      <span class="cut">{en.compose.files}</span>
      <span />
      <span class="sub cut">{en.compose.filesSub}</span>
    </>
  );
}
