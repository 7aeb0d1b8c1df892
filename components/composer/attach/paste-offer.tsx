import type { JSX } from 'preact';
import type { LongPaste } from './pasting.ts';
import '../menu/offers.css';
import { t } from '../../../locales/texts/panel.ts';

/** Offers to make a file of what was pasted. */
export function PasteOffer({ offer }: { offer: LongPaste }): JSX.Element {
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
