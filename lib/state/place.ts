import { ownPlace, watchTabs } from '../gestures.ts';
import { intents } from '../broadcasts.ts';
import { effect } from '@preact/signals';
import { messageOf } from '../types/tools/tool-call.ts';
import type { Panel } from './panel.ts';

/** Starts a panel where it stands. While each tab has its own chat, it shows that of the tab in front. */
export async function startInPlace(panel: Panel): Promise<void> {
  const place = await ownPlace().catch(() => ({}));
  intents.listen(() => void panel.takeIntents());
  panel.start(place);
  const { conversationId, callId } =
    /^#app\/(?<conversationId>[^/]+)\/(?<callId>[^/]+)$/.exec(location.hash)?.groups ?? {};
  // A tab for the app of a call (components/chat/apps), which fills it.
  if (conversationId && callId) {
    const messageId = messageOf(callId);
    void panel.showHit({ conversationId, title: '', id: messageId, messageId, at: '' });
  }
  effect(() => {
    if (panel.setup.value?.settings.panelScope !== 'tab') return undefined;
    return watchTabs((tabId) => panel.moveTo(tabId));
  });
}
