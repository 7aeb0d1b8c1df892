import { TextCursorInput, Undo2 } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { sentencesOf, toWire } from '../../../lib/errors.ts';
import type { WireError } from '../../../lib/types/error.ts';
import { usePanel } from '../../panel-context.ts';
import { Icon } from '../../ui/icon.tsx';
import './fill-field.css';
import { t } from '../../../locales/texts/panel.ts';

type Field = { tabId: number; fieldId: string };

/** Puts an answer into the form field that it is about, and takes it out again. */
export function FillField(props: { field: Field; text: () => string }): JSX.Element {
  const { field, text } = props;
  const { ask } = usePanel();
  const [isFilled, setFilled] = useState(false);
  const [error, setError] = useState<WireError | null>(null);
  const act = async (): Promise<void> => {
    try {
      await ask('fillField', { ...field, text: isFilled ? null : text() });
      setFilled(!isFilled);
      setError(null);
    } catch (failure) {
      setError(toWire(failure));
    }
  };
  return (
    <p class="fill-field">
      <button type="button" class="btn s" onClick={() => void act()}>
        <Icon of={isFilled ? Undo2 : TextCursorInput} small />
        {isFilled ? t(($) => $.actions.undo) : t(($) => $.pages.fill.put)}
      </button>
      <span class="small subtle" role="status">
        {error ? sentencesOf(error) : isFilled && t(($) => $.pages.fill.done)}
      </span>
    </p>
  );
}
