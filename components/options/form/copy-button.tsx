import { Check, Copy, X } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { IconButton } from '../../ui/icon-button.tsx';
import { t } from '../../../locales/texts/settings.ts';

/** Copies a text, and says whether that worked. */
export function CopyButton({ text }: { text: string }): JSX.Element {
  const [worked, setWorked] = useState<boolean | null>(null);
  const copy = (): void =>
    void navigator.clipboard.writeText(text).then(
      () => setWorked(true),
      () => setWorked(false),
    );
  return (
    <>
      <span class="sr" role="status">
        {worked !== null && (worked ? t(($) => $.toolLog.copied) : t(($) => $.toolLog.copyFailed))}
      </span>
      <IconButton
        icon={worked === null ? Copy : worked ? Check : X}
        small
        label={t(($) => $.toolLog.copy)}
        onClick={copy}
      />
    </>
  );
}
