import { Upload } from 'lucide';
import type { JSX } from 'preact';
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { sentencesOf } from '../../../lib/errors.ts';
import type { WireError } from '../../../lib/types/error.ts';
import { Icon } from '../../ui/icon.tsx';
import { useFileDrop } from '../../ui/use-file-drop.ts';
import { TextArea } from '../../ui/fields.tsx';
import { FoundConfigs } from '../native-host/found-configs.tsx';
import { FilePicker } from '../form/file-picker.tsx';
import { t } from '../../../locales/texts/settings.ts';

/** Bytes; what is larger is some other file. */
const LARGEST = 4_000_000;

/** Where the configuration is pasted, or a file of it chosen or dropped. */
export function ImportSource(props: {
  text: string;
  set: (text: string) => void;
  fault: WireError | null;
}): JSX.Element {
  const { text, set, fault } = props;
  const picker = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();
  const take = useCallback(
    (file: File): void => {
      if (file.size > LARGEST) return setProblem(t(($) => $.import.tooLarge, { name: file.name }));
      setProblem(undefined);
      file.text().then(set, () => setProblem(t(($) => $.import.unreadable, { name: file.name })));
    },
    [set],
  );
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => root.current?.querySelector('textarea')?.focus(), []);
  const isOver = useFileDrop(([file]) => file && take(file));
  const invalid = problem ?? (fault ? sentencesOf(fault) : undefined);
  return (
    <div class="import-source" data-over={isOver} ref={root}>
      <TextArea
        label={t(($) => $.import.field)}
        value={text}
        set={(typed) => {
          setProblem(undefined);
          set(typed);
        }}
        placeholder={t(($) => $.import.placeholder)}
        rows={20}
        code
        help={isOver ? t(($) => $.import.drop) : t(($) => $.import.help)}
        invalid={invalid}
      />
      <FilePicker accept=".json,.jsonc,application/json" picker={picker} take={take} />
      <button type="button" class="btn" onClick={() => picker.current?.click()}>
        <Icon of={Upload} />
        {t(($) => $.import.choose)}
      </button>
      <FoundConfigs
        take={(found) => {
          setProblem(undefined);
          set(found);
        }}
      />
    </div>
  );
}
