import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { en } from '../../locales/en-late.ts';
import { visible } from '../../lib/state/shown-text.ts';
import type { Server } from '../../lib/types/setup.ts';
import { usePanel } from '../panel-context.ts';

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
      <summary>{en.chatTools.instructions}</summary>
      <p class="help">
        {server.withoutInstructions ? en.chatTools.instructionsKept : en.chatTools.instructionsSent}
      </p>
      <p class="quoted plain">{visible(text)}</p>
    </details>
  );
}
