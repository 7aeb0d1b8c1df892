import { Check, Copy, X } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { en } from '../../locales/en-options.ts';
import { IconButton } from '../ui/icon-button.tsx';

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
        {worked !== null && (worked ? en.toolLog.copied : en.toolLog.copyFailed)}
      </span>
      <IconButton
        icon={worked === null ? Copy : worked ? Check : X}
        small
        label={en.toolLog.copy}
        onClick={copy}
      />
    </>
  );
}
