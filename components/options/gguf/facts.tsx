import type { JSX } from 'preact';
import type { StoredModel } from '../../../lib/gguf/store.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';

/** Size, licence and address: what is known before anything is downloaded. */
export function Facts({ of }: { of: StoredModel }): JSX.Element {
  return (
    <>
      <p>
        {t(($) => $.gguf.facts, {
          size: units.bytes(of.size),
          licence: of.licence === null ? t(($) => $.gguf.noLicence) : visible(of.licence),
        })}
      </p>
      {of.address !== null && <p class="wrap mono">{of.address}</p>}
      {(of.sha256 ?? of.expected) !== undefined && (
        <p class="wrap mono">{t(($) => $.gguf.sum, { sum: of.sha256 ?? of.expected ?? '' })}</p>
      )}
    </>
  );
}
