import './panel.css';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { onReturn } from '../lib/state/connection.ts';
import type { Panel } from '../lib/state/panel.ts';
import { en } from '../locales/en.ts';
import { Bar } from './bar.tsx';
import { Log } from './chat/log.tsx';
import { Dock } from './composer/dock.tsx';
import { HistoryDrawer } from './history/drawer.tsx';
import { PanelContext } from './panel-context.ts';
import { holdDoubleClicks } from './ui/double-click.ts';
import { closeTopLayer } from './ui/layers.ts';

/** The side panel. */
export function PanelApp({ panel }: { panel: Panel }): JSX.Element {
  const [historyOpen, setHistoryOpen] = useState(false);
  /** Where the focus was before the history came; what lies beneath loses it by becoming inert. */
  const opener = useRef<Element | null>(null);
  const root = useRef<HTMLElement>(null);
  const focus = (selector: string): void => root.current?.querySelector<HTMLElement>(selector)?.focus();

  const newChat = (): void => {
    setHistoryOpen(false);
    panel.show(null);
    focus('.composer textarea');
  };

  const openHistory = (): void => {
    opener.current = document.activeElement;
    setHistoryOpen(true);
  };
  useEffect(() => {
    if (historyOpen) return;
    if (opener.current instanceof HTMLElement) opener.current.focus();
    opener.current = null;
  }, [historyOpen]);

  useEffect(holdDoubleClicks, []);
  useEffect(() => listen(panel, { newChat, openHistory, focus }), [panel]);

  return (
    <PanelContext.Provider value={panel}>
      <section class="panel" aria-label={en.panel.label} ref={root}>
        <Bar historyOpen={historyOpen} openHistory={openHistory} newChat={newChat} />
        <Log inert={historyOpen} />
        <Dock inert={historyOpen} />
        {historyOpen && <HistoryDrawer close={() => setHistoryOpen(false)} />}
      </section>
    </PanelContext.Provider>
  );
}

/** The panel's keys, and its coming back to life when the person turns to it. Returns the undo. */
function listen(
  panel: Panel,
  act: { newChat: () => void; openHistory: () => void; focus: (selector: string) => void },
): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return;
    const ctrl = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    // One press, one thing: the top layer, else the run.
    if (key === 'escape') {
      if (!closeTopLayer() && panel.live.value) void panel.stop();
    } else if (ctrl && event.shiftKey && key === 'o') act.newChat();
    else if (ctrl && key === 'k') act.openHistory();
    else if (event.altKey && key === 'a') act.focus('[role="alertdialog"]');
    else if (event.altKey && key === 'm') act.focus('.composer textarea');
    else return;
    event.preventDefault();
  };
  document.addEventListener('keydown', onKey);
  // A page that is hidden may never be shown again.
  const leave = (): void => panel.saveDraft();
  document.addEventListener('visibilitychange', leave);
  window.addEventListener('pagehide', leave);
  const undoReturn = onReturn(panel.use);
  return () => {
    document.removeEventListener('keydown', onKey);
    document.removeEventListener('visibilitychange', leave);
    window.removeEventListener('pagehide', leave);
    undoReturn();
  };
}
