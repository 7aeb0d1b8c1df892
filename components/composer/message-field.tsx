import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { en } from '../../locales/en.ts';
import type { OfferEntry } from '../../lib/state/offers.ts';
import { usePanel } from '../panel-context.ts';
import { GrowingArea } from '../ui/growing-area.tsx';
import { useLayer } from '../ui/layers.ts';
import { ArgumentForm } from './argument-form.tsx';
import { listKeys, useReached } from './list-keys.ts';
import { OfferList } from './offer-list.tsx';

export const focusMessage = (): void => document.querySelector<HTMLElement>('.composer textarea')?.focus();

/** Where the message is written, with the menus that `/` and `@` open. */
export function MessageField(props: {
  placeholder: string;
  onKeyDown: (event: KeyboardEvent) => void;
}): JSX.Element {
  const panel = usePanel();
  const { menu } = panel;
  const id = useId();
  const kind = menu.open.value;
  const entries = menu.found.value.groups.flatMap((group) => group.entries);
  const [active, point] = useReached(`${kind}/${menu.query.value}/${menu.entries.value?.length}`, 0);
  useLayer(kind !== null, menu.close);

  const choose = (entry: OfferEntry | undefined): void => {
    if (entry) void menu.choose(entry);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const list = { active, count: kind ? entries.length : 0, point, choose: () => choose(entries[active]) };
    if (listKeys(event, list)) return;
    // What the list holds is not known yet: the key is meant for it, not for sending.
    const early = kind !== null && menu.entries.value === null && !menu.error.value && event.key === 'Enter';
    if (early) event.preventDefault();
    else props.onKeyDown(event);
  };
  const look = ({ currentTarget: { value, selectionStart } }: { currentTarget: HTMLTextAreaElement }): void =>
    menu.look(value, selectionStart);
  return (
    <>
      <GrowingArea
        aria-label={en.composer.message}
        rows={1}
        placeholder={props.placeholder}
        value={panel.text.value}
        onInput={(event) => {
          panel.type(event.currentTarget.value);
          look(event);
        }}
        onKeyDown={onKeyDown}
        onKeyUp={(event) => moves.has(event.key) && look(event)}
        onClick={look}
        onBlur={() => kind && menu.close()}
        autofocus
        {...(kind && { 'aria-autocomplete': 'list', 'aria-controls': id })}
        {...(kind && entries[active] && { 'aria-activedescendant': `${id}-${active}` })}
      />
      {kind && <OfferList id={id} kind={kind} active={active} point={point} choose={choose} />}
    </>
  );
}

/** Keys that move the caret without changing the text. */
const moves: ReadonlySet<string> = new Set(['ArrowLeft', 'ArrowRight', 'Home', 'End']);

/** Asks for what the chosen prompt or template needs; the focus comes back to the message. */
export function Filling(): JSX.Element | null {
  const { menu } = usePanel();
  const filling = menu.filling.value;
  if (!filling) return null;
  return <ArgumentForm key={filling.entry.id} filling={filling} close={menu.close} />;
}
