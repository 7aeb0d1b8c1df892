import { signal, type ReadonlySignal } from '@preact/signals';
import type { ChatsEvent, PanelEvent, Revision } from '../protocol/panel.ts';
import type { Setup } from '../protocol/setup.ts';

/** A page's copy of the configuration, and its revision. @param missed called when a change does not follow on what is here: all of it is to be asked for */
export function createSetupCopy(missed: () => void) {
  const setup = signal<Setup | null>(null);
  let revision: Revision | undefined;
  return {
    /** null until the worker has told it. */
    setup: setup as ReadonlySignal<Setup | null>,
    revision: (): Revision | undefined => revision,
    take(event: Extract<PanelEvent, { type: 'setup' | 'server_status' }>): void {
      const before = setup.value;
      if (event.type === 'setup') {
        ({ revision, setup: setup.value } = event);
        return;
      }
      if (!before || !revision) return; // all of it is on its way
      if (follows(event.revision, revision)) {
        const statuses = { ...before.statuses, [event.serverId]: event.status };
        revision = event.revision;
        setup.value = { ...before, statuses };
      } else {
        revision = undefined;
        missed();
      }
    },
  };
}

/** How far a page has come with the list of chats. @param missed called when it was not told of every change */
export function createChatsRevision(missed: () => void) {
  let revision: Revision | undefined;
  return {
    revision: () => revision,
    take(event: ChatsEvent): void {
      const before = revision;
      ({ revision } = event);
      if (before && (event.type === 'chats' || !follows(revision, before))) missed();
    },
  };
}

/** Nothing came between the two. */
const follows = (next: Revision, before: Revision): boolean =>
  next.epoch === before.epoch && next.number === before.number + 1;
