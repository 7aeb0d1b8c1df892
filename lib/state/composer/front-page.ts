import { computed, signal } from '@preact/signals';
import type { FrontPage } from '../../types/starter.ts';
import type { PagePlace } from './attaching.ts';
import type { WorkerLink } from '../panel-port.ts';
import { t } from '../../../locales/texts/panel.ts';

/** What of it goes along: what is selected, or else the page. */
export function partOf({
  hasSelection,
  hasTranscript: _hasTranscript,
  title,
  ...place
}: FrontPage): PagePlace & { title: string } {
  const part = hasSelection ? 'selection' : 'page';
  return { ...place, part, title: title ?? t(($) => $.pages.parts[part]) };
}

/** The page that stands beside the panel. */
export function createFront(link: Pick<WorkerLink, 'send'>, ownWindow: () => Promise<number>) {
  const found = signal<FrontPage | null | undefined>(undefined);
  const declined = signal<string | null>(null);
  const keyOf = ({ tabId, url = '' }: FrontPage): string => `${tabId} ${url}`;
  async function look(): Promise<FrontPage | null> {
    found.value = await link.send('frontPage', { windowId: await ownWindow() }).catch(() => null);
    return found.value;
  }
  return {
    /** The page in front, while it is offered; null where none can be read, or after it was declined. */
    page: computed(() => (found.value && keyOf(found.value) !== declined.value ? found.value : null)),
    /** Looks which page it is, and whether something is selected there. */
    look,
    /** It is not offered any more, until another page comes to the front. */
    decline: (): void => void (declined.value = found.value ? keyOf(found.value) : null),
    /** It was looked for, and can't be read: an empty tab, or a page of the browser's own. */
    isNone: (): boolean => found.peek() === null,
  };
}
