import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { visible } from '../../lib/state/shown-text.ts';
import type { Server } from '../../lib/types/server.ts';
import { usePanel } from '../panel-context.ts';
import { LongText } from '../ui/long-text.tsx';
import { t } from '../../locales/texts/panel.ts';

/** What a server wants models to know of it, as it said so. */
export function Instructions({ server }: { server: Server }): JSX.Element | null {
  const { command } = usePanel();
  const [text, setText] = useState('');
  useEffect(() => {
    let current = true;
    const load = async (): Promise<void> => {
      const answer = await command('serverOffer', { serverId: server.id });
      if (current) setText(answer?.reply?.info.instructions ?? '');
    };
    void load();
    return () => {
      current = false;
    };
  }, [command, server.id]);
  if (text === '') return null;
  return (
    <details class="instructions small">
      <summary>{t(($) => $.chatTools.instructions)}</summary>
      <p class="help">
        {server.withoutInstructions
          ? t(($) => $.chatTools.instructionsKept)
          : t(($) => $.chatTools.instructionsSent)}
      </p>
      <p class="quoted plain">
        <LongText text={visible(text)} />
      </p>
    </details>
  );
}
