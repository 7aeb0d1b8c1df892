import { Check, Copy, X } from 'lucide';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { IconButton } from './icon-button.tsx';
import { t } from '../../locales/texts/panel.ts';

/** How long the button says what it did. */
const SAID_MS = 2000;

/** Copies a text, and says whether that worked. `text` is asked for only then. */
export function CopyButton({ name, text }: { name: string; text: () => string }): JSX.Element {
  const [worked, setWorked] = useState<boolean | null>(null);
  useEffect(() => {
    if (worked === null) return undefined;
    const timer = setTimeout(() => setWorked(null), SAID_MS);
    return () => clearTimeout(timer);
  }, [worked]);
  const copy = (): void =>
    void navigator.clipboard.writeText(text()).then(
      () => setWorked(true),
      () => setWorked(false),
    );
  return (
    <>
      <span class="sr" role="status">
        {worked !== null && (worked ? t(($) => $.card.copied) : t(($) => $.card.notCopied))}
      </span>
      <IconButton icon={worked === null ? Copy : worked ? Check : X} small label={name} onClick={copy} />
    </>
  );
}
