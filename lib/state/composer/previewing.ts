import { signal, type ReadonlySignal } from '@preact/signals';
import { toWire } from '../../errors.ts';
import type { ServerResource } from '../../protocol/attached.ts';
import type { Reply } from '../../protocol/commands.ts';
import type { WireError } from '../../types/error.ts';
import type { WorkerLink } from '../panel-port.ts';

/** A resource as it would be sent; `content` is null while it is read. */
export type Previewed = {
  resource: ServerResource;
  content: Reply<'previewResource'> | null;
  error?: WireError;
};

/** Shows what would be attached, before it is. */
export function createPreviewing(link: WorkerLink, draftId: () => string) {
  const shown = signal<Previewed | null>(null);
  return {
    shown: shown as ReadonlySignal<Previewed | null>,
    async show(resource: ServerResource): Promise<void> {
      const asked: Previewed = { resource, content: null };
      const update = (more: Partial<Previewed>): void => {
        if (shown.value === asked) shown.value = { ...asked, ...more };
      };
      shown.value = asked;
      try {
        const { serverId, uri } = resource;
        update({ content: await link.send('previewResource', { conversationId: draftId(), serverId, uri }) });
      } catch (failure) {
        update({ error: toWire(failure) });
      }
    },
    close: (): void => void (shown.value = null),
  };
}
