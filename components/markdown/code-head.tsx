import { Check, Copy, X } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { IconButton } from '../ui/icon-button.tsx';
import { t } from '../../locales/texts/panel.ts';

/** What a block of code is written in, and the button that copies all of it. */
export function CodeHead({ label, text }: { label: string; text: () => string }): JSX.Element {
  return (
    <>
      <span class="grow cut">{label}</span>
      <CopyCode text={text} />
    </>
  );
}

function CopyCode({ text }: { text: () => string }): JSX.Element {
  const [worked, setWorked] = useState<boolean | null>(null);
  const copy = (): void =>
    void navigator.clipboard.writeText(text()).then(
      () => setWorked(true),
      () => setWorked(false),
    );
  return (
    <>
      <span class="sr" role="status">
        {worked !== null && (worked ? t(($) => $.markdown.copied) : t(($) => $.markdown.copyFailed))}
      </span>
      <IconButton
        icon={worked === null ? Copy : worked ? Check : X}
        small
        label={t(($) => $.markdown.copyCode)}
        onClick={copy}
      />
    </>
  );
}
