import { ownPlace, watchTabs } from '../gestures.ts';
import { listenForIntents } from '../messaging.ts';
import { effect } from '@preact/signals';
import type { Panel } from './panel.ts';

/** Starts a panel where it stands. While each tab has its own chat, it shows that of the tab in front. */
export async function startInPlace(panel: Panel): Promise<void> {
  const place = await ownPlace().catch(() => ({}));
  listenForIntents(() => void panel.takeIntents());
  panel.start(place);
  effect(() => {
    if (panel.setup.value?.settings.panelScope !== 'tab') return undefined;
    return watchTabs((tabId) => panel.moveTo(tabId));
  });
}
