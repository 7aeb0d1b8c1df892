import type { JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import type { MenuEntry } from '../../lib/state/composer/menu-entries.ts';
import { queuedRuns } from '../../lib/state/chat/run-status.ts';
import { usePanel } from '../panel-context.ts';
import { GrowingArea } from '../ui/growing-area.tsx';
import { useLayer } from '../ui/overlay/layers.ts';
import { lazy } from '../ui/lazy.tsx';
import { listKeys, useReached } from './menu/list-keys.ts';
import { t } from '../../locales/texts/panel.ts';
import './menu/offers.css';

const ArgumentForm = lazy((views) => views.ArgumentForm);
const SkillReview = lazy((views) => views.SkillReview);
const EntryPreview = lazy((views) => views.EntryPreview);
const OfferList = lazy((views) => views.OfferList);

export const focusMessage = (): void => document.querySelector<HTMLElement>('.composer textarea')?.focus();

/** Where the message is written, with the menus that `/` and `@` open. */
export function MessageField(props: {
  placeholder: string;
  onKeyDown: (event: KeyboardEvent) => void;
  choose: (entry: MenuEntry) => void;
}): JSX.Element {
  const panel = usePanel();
  const { menu } = panel;
  const id = useId();
  const kind = menu.open.value;
  const entries = menu.found.value.groups.flatMap((group) => group.entries);
  const list = `${kind}/${menu.query.value}/${menu.offered.value?.length}`;
  const [active, point] = useReached(list, 0);
  /** The list in which the arrows were used: there Space is not typed. */
  const walked = useRef('');
  useLayer(kind !== null, menu.close);
  const { onPaste, offer } = usePasting();

  const choose = (entry: MenuEntry | undefined): void => entry && props.choose(entry);
  const onKeyDown = (event: KeyboardEvent): void => {
    // What the list holds is not known yet: the key is meant for it, not for sending.
    const early = kind !== null && menu.offered.value === null && !menu.error.value;
    const walk = (position: number): void => {
      walked.current = list;
      point(position);
    };
    const count = kind && !early ? entries.length : 0;
    if (listKeys(event, { active, count, point: walk, choose: () => choose(entries[active]) })) return;
    const reached = kind && walked.current === list ? entries[active] : undefined;
    if (event.key === ' ' && reached?.type === 'resource') {
      event.preventDefault();
      void menu.preview.show(reached.offer);
    } else if (early && event.key === 'Enter') event.preventDefault();
    else if (event.key === 'ArrowUp' && panel.text.value === '' && !event.isComposing) {
      event.preventDefault();
      editLast(panel);
    } else props.onKeyDown(event);
  };
  const updateMenu = ({
    currentTarget: { value, selectionStart },
  }: {
    currentTarget: HTMLTextAreaElement;
  }): void => menu.look(value, selectionStart);
  return (
    <>
      <GrowingArea
        aria-label={t(($) => $.composer.message)}
        rows={1}
        // By itself, a field without text runs from left to right in every language.
        dir={panel.text.value !== '' ? 'auto' : undefined}
        placeholder={props.placeholder}
        value={panel.text.value}
        onInput={(event) => {
          panel.type(event.currentTarget.value);
          updateMenu(event);
        }}
        onPaste={onPaste}
        onKeyDown={onKeyDown}
        onKeyUp={(event) => moves.has(event.key) && updateMenu(event)}
        onClick={updateMenu}
        // A preview or the form for arguments takes the focus for a while.
        onBlur={() => kind && !menu.preview.shown.value && !menu.filling.value && menu.close()}
        autofocus
        {...(kind && { 'aria-autocomplete': 'list', 'aria-controls': id })}
        aria-activedescendant={kind && entries[active] ? `${id}-${active}` : undefined}
      />
      {offer && <PasteOffer offer={offer} />}
      {kind && <OfferList id={id} kind={kind} active={active} point={point} choose={choose} />}
      {menu.preview.shown.value && <EntryPreview />}
    </>
  );
}

/** Keys that move the caret without changing the text. */
const moves: ReadonlySet<string> = new Set(['ArrowLeft', 'ArrowRight', 'Home', 'End']);

/** The message that was written last: the queued one, else the one that was sent. */
function editLast(panel: ReturnType<typeof usePanel>): void {
  const waiting = queuedRuns(panel.chat.value).at(-1);
  if (waiting) void panel.editQueued(waiting);
  else panel.editLast();
}

/** Asks for what the chosen prompt or template needs, or whether a skill may be used; the focus comes back to the message. */
export function Filling(): JSX.Element | null {
  const { menu } = usePanel();
  const filling = menu.filling.value;
  if (!filling) return null;
  const { entry } = filling;
  if (entry.type === 'skill') return <SkillReview key={entry.id} skill={entry.offer} close={menu.close} />;
  return <ArgumentForm key={entry.id} filling={filling} close={menu.close} />;
}

function PasteOffer({ offer }: { offer: LongPaste }): JSX.Element {
  const attach = ({ currentTarget }: { currentTarget: HTMLElement }): void => {
    const field = currentTarget.closest('form')?.querySelector('textarea');
    if (field) offer.attach(field);
  };
  return (
    <div class="menu-note paste-offer">
      <span class="grow" role="status">
        {t(($) => $.compose.pasted, { characters: offer.text.length })}
      </span>
      <button type="button" class="btn s" onClick={attach}>
        {t(($) => $.compose.attachPasted)}
      </button>
      <button type="button" class="btn s quiet" onClick={offer.keep}>
        {t(($) => $.compose.keepPasted)}
      </button>
    </div>
  );
}

/** Characters from which on a pasted text might better be a file. */
const LONG = 4000;
/** Characters from which on it is one at once: a text field would stand still for seconds over them, at every key. */
const HUGE = 100_000;

/** A long text that was pasted, where it still stands in the message. */
type LongPaste = { text: string; attach: (field: HTMLTextAreaElement) => void; keep: () => void };

/** Takes the files of a paste, a huge text as one; of a long text, offers to make one of it. */
function usePasting(): { onPaste: (event: ClipboardEvent) => void; offer: LongPaste | null } {
  const { attaching, text } = usePanel();
  const [pasted, setPasted] = useState<string | null>(null);

  const onPaste = (event: ClipboardEvent): void => {
    const { files, text: typed } = contentOf(event.clipboardData);
    if (files.length > 0) {
      event.preventDefault();
      void attaching.attachFiles(files);
    } else setPasted(typed.length > LONG ? typed : null);
  };
  if (pasted === null || !text.value.includes(pasted)) return { onPaste, offer: null };
  const attach = (field: HTMLTextAreaElement): void => {
    cut(field, pasted);
    setPasted(null);
    void attaching.attachFiles([fileOf(pasted)]);
  };
  return { onPaste, offer: { text: pasted, attach, keep: () => setPasted(null) } };
}

const fileOf = (text: string): File =>
  new File(
    [text],
    t(($) => $.compose.pastedName),
    { type: 'text/plain' },
  );

/** Of a sheet's cells there is a picture too: there the text is what was meant. A file's name is none. */
function contentOf(data: DataTransfer | null): { files: File[]; text: string } {
  const files = [...(data?.files ?? [])];
  const text = (data?.getData('text/plain') ?? '').replaceAll(/\r\n?/g, '\n');
  if (text.length >= HUGE) return { files: [fileOf(text)], text };
  const names = new Set(files.map(({ name }) => name));
  const isNames = text
    .split('\n')
    .every((line) => line === '' || names.has(line.split(/[/\\]/).at(-1) ?? ''));
  return { files: isNames ? files : [], text };
}

/** As if the user had done it: so it can be undone. */
function cut(field: HTMLTextAreaElement, text: string): void {
  const at = field.value.lastIndexOf(text);
  if (at < 0) return;
  field.focus();
  field.setSelectionRange(at, at + text.length);
  document.execCommand('delete');
}
