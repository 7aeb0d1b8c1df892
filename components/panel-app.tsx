import './panel.css';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { watchWindows } from '../lib/gestures.ts';
import { choiceFor } from '../lib/state/composer/choice.ts';
import { onReturn } from '../lib/state/panel-port.ts';
import type { Panel } from '../lib/state/panel.ts';
import { requesterAlike } from '../lib/state/trust/look-alike.ts';
import { Bar } from './bar.tsx';
import { Log } from './chat/log.tsx';
import { Dock } from './composer/dock.tsx';
import { PanelContext } from './panel-context.ts';
import { RequestContext, type Requesting } from './request-context.ts';
import { Boundary, Damaged } from './ui/boundary.tsx';
import { holdDoubleClicks } from './ui/keys/double-click.ts';
import { closeTopLayer } from './ui/overlay/layers.ts';
import { CHORDS, isPressed } from './ui/keys/chords.ts';
import { decideByKey } from './ui/keys/decisions.ts';
import { lazy } from './ui/lazy.tsx';
import { t } from '../locales/texts/panel.ts';

const HistoryDrawer = lazy((views) => views.HistoryDrawer);
const Shortcuts = lazy((views) => views.Shortcuts);
const ChatTools = lazy((views) => views.ChatTools);

export function PanelApp({ panel }: { panel: Panel }): JSX.Element {
  const [historyOpen, setHistoryOpen] = useState(false);
  const [toolsOpen, setToolsOpen] = useState(false);
  const [keysOpen, setKeysOpen] = useState(false);
  /** Where the focus was before the history came; what lies beneath loses it by becoming inert. */
  const opener = useRef<Element | null>(null);
  const root = useRef<HTMLElement>(null);
  const focus = (selector: string): void => root.current?.querySelector<HTMLElement>(selector)?.focus();

  const newChat = (): void => {
    setHistoryOpen(false);
    panel.show(null);
    // What could not be read of a page is no beginning; what is typed or attached stays.
    for (const each of panel.attaching.adding.value)
      if (each.type === 'page' && each.error) panel.attaching.giveUp(each);
    focus('.composer textarea');
  };

  const closeTools = (): void => {
    setToolsOpen(false);
    focus('.servers');
  };

  const openHistory = (): void => {
    setToolsOpen(false);
    opener.current = document.activeElement;
    setHistoryOpen(true);
  };
  useLayoutEffect(() => {
    if (historyOpen) return;
    if (opener.current instanceof HTMLElement) opener.current.focus();
    opener.current = null;
  }, [historyOpen]);

  const requesting = useMemo((): Requesting => {
    const { answerRequest, answers, setup, chat } = panel;
    return {
      answerRequest,
      answers,
      asked: () => choiceFor(setup.value, chat.value.conversation),
      alike: (request) => requesterAlike(request, setup.value),
    };
  }, [panel]);

  // What goes on in other chats is said at the button that leads to them.
  useEffect(() => void panel.history.load(), [panel]);
  useEffect(() => holdDoubleClicks(watchWindows), []);
  useEffect(() => listen(panel, { newChat, openHistory, openKeys: () => setKeysOpen(true), focus }), [panel]);

  return (
    <PanelContext.Provider value={panel}>
      <section class="panel" aria-label={t(($) => $.panel.label)} ref={root}>
        <Boundary
          instead={(cause, again) => (
            <Damaged send={panel.ask} cause={cause}>
              <button type="button" class="btn s" onClick={() => (newChat(), again())}>
                {t(($) => $.panel.newChat)}
              </button>
            </Damaged>
          )}
        >
          <Bar
            historyOpen={historyOpen}
            openHistory={openHistory}
            newChat={newChat}
            openKeys={() => setKeysOpen(true)}
            toolsOpen={toolsOpen}
            toggleTools={() => setToolsOpen(!toolsOpen)}
          />
          <RequestContext.Provider value={requesting}>
            <Log inert={historyOpen} />
          </RequestContext.Provider>
          <Dock inert={historyOpen} />
          {keysOpen && <Shortcuts close={() => setKeysOpen(false)} />}
          {toolsOpen && <ChatTools close={closeTools} />}
          {historyOpen && <HistoryDrawer close={() => setHistoryOpen(false)} />}
        </Boundary>
      </section>
    </PanelContext.Provider>
  );
}

/** The panel's keys, and its coming back to life when the user turns to it. Returns the undo. */
function listen(
  panel: Panel,
  act: {
    newChat: () => void;
    openHistory: () => void;
    openKeys: () => void;
    focus: (selector: string) => void;
  },
): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return;
    const isChord = (name: keyof typeof CHORDS): boolean => isPressed(CHORDS[name], event);
    // One press, one thing: the top layer, else what waits for an answer, else the run.
    if (isChord('escape')) {
      if (!closeTopLayer() && !decideByKey(event) && panel.live.value && !event.repeat) void panel.stop();
    } else if (isChord('allow')) {
      if (!decideByKey(event)) return;
    } else if (isChord('newChat')) act.newChat();
    else if (isChord('history')) act.openHistory();
    else if (isChord('toApproval')) act.focus('.ask');
    else if (isChord('toMessage')) act.focus('.composer textarea');
    else if (isChord('help') && !isTyping(event.target)) act.openKeys();
    else return;
    event.preventDefault();
  };
  document.addEventListener('keydown', onKey);
  const watchEyes = (): void => panel.setHidden(document.visibilityState === 'hidden');
  watchEyes();
  document.addEventListener('visibilitychange', watchEyes);
  // A page that is hidden may never be shown again.
  const leave = (): void => panel.saveDraft();
  document.addEventListener('visibilitychange', leave);
  window.addEventListener('pagehide', leave);
  const undoReturn = onReturn(panel.use);
  return () => {
    document.removeEventListener('keydown', onKey);
    document.removeEventListener('visibilitychange', watchEyes);
    document.removeEventListener('visibilitychange', leave);
    window.removeEventListener('pagehide', leave);
    undoReturn();
  };
}

/** Where a key writes something. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
