import { signal, type ReadonlySignal } from '@preact/signals';
import type { ServerPrompt } from '../../protocol/attached.ts';
import type { Reply } from '../../protocol/commands.ts';
import type { WorkerLink } from '../panel-port.ts';

/** A prompt that its server is filling in. */
export type Fetch = { fetchId: string; prompt: ServerPrompt };

/** At most one prompt at a time is on its way, and it can be given up. */
export function createPromptFetch(link: WorkerLink, newId: () => string) {
  const current = signal<Fetch | null>(null);

  function cancel(): void {
    const given = current.value;
    if (!given) return;
    current.value = null;
    // A worker that can't be reached is not fetching either.
    void link.send('cancelFetch', { fetchId: given.fetchId }).catch(() => undefined);
  }

  /**
   * Has a prompt filled in; one that was on its way is given up.
   * @returns what came, and whether it is still wanted @throws AppError while it is
   */
  async function get(
    prompt: ServerPrompt,
    values: Record<string, string>,
    conversationId: string,
  ): Promise<{ got: Reply<'getPrompt'>; wanted: boolean } | null> {
    cancel();
    const mine: Fetch = { fetchId: newId(), prompt };
    current.value = mine;
    const { serverId, name } = prompt;
    const request = { serverId, name, arguments: values, conversationId, fetchId: mine.fetchId };
    try {
      const got = await link.send('getPrompt', request);
      return { got, wanted: current.value === mine };
    } catch (failure) {
      if (current.value !== mine) return null;
      throw failure;
    } finally {
      if (current.value === mine) current.value = null;
    }
  }
  return { current: current as ReadonlySignal<Fetch | null>, get, cancel };
}
