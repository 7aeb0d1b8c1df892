import { Check, Copy, X } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { en } from '../../locales/en-options.ts';
import { Icon } from '../ui/icon.tsx';

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
      <button class="icon-btn" aria-label={en.toolLog.copy} title={en.toolLog.copy} onClick={copy}>
        <Icon of={worked === null ? Copy : worked ? Check : X} small />
      </button>
    </>
  );
}
