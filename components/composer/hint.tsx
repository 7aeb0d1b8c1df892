import { Lightbulb } from 'lucide';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePanel } from '../panel-context.ts';
import { Icon } from '../ui/icon.tsx';
import { focusMessage } from './message-field.tsx';
import { t } from '../../locales/texts/panel.ts';

/** Another way to do what was just done. */
export function Hint(): JSX.Element | null {
  const { hints, command } = usePanel();
  const [key, setKey] = useState<string>();
  useEffect(() => {
    void command('listShortcuts').then((got) =>
      setKey(got?.reply.find(({ name }) => name === 'page-ask')?.keys ?? ''),
    );
  }, []);
  const id = hints.shown.value;
  if (id === null || key === undefined || (id === 'shortcut' && key === '')) return null;
  const dismiss = (): void => {
    hints.dismiss();
    focusMessage();
  };
  return (
    <p class="hint small" role="status">
      <Icon of={Lightbulb} small />
      <span>{t(($) => $.hints[id], { key })}</span>
      <button type="button" class="btn quiet s" onClick={dismiss}>
        {t(($) => $.hints.gotIt)}
      </button>
    </p>
  );
}
