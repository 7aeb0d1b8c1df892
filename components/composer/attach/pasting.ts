import { useState } from 'preact/hooks';
import { usePanel } from '../../panel-context.ts';
import { t } from '../../../locales/texts/panel.ts';

/** Characters from which on a pasted text might better be a file. */
const LONG = 4000;
/** Characters from which on it is one at once: a text field would stand still for seconds over them, at every key. */
const HUGE = 100_000;

/** A long text that was pasted, where it still stands in the message. */
export type LongPaste = { text: string; attach: (field: HTMLTextAreaElement) => void; keep: () => void };

/** Takes the files of a paste, a huge text as one; of a long text, offers to make one of it. */
export function usePasting(): { onPaste: (event: ClipboardEvent) => void; offer: LongPaste | null } {
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
