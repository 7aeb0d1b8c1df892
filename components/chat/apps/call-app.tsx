import { useSignal } from '@preact/signals';
import { AppWindow, ExternalLink, Maximize2, Minimize2, X } from 'lucide';
import type { ComponentType, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { toWire } from '../../../lib/errors.ts';
import type { AppBridge, Wish } from '../../../lib/state/apps/bridge.ts';
import type { DisplayMode } from '../../../lib/state/apps/shapes.ts';
import type { WireError } from '../../../lib/types/error.ts';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import { usePanel } from '../../panel-context.ts';
import { Fault } from '../../ui/fault.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useLayer } from '../../ui/overlay/layers.ts';
import { givenName, plainName } from '../../../lib/state/shown-text.ts';
import { Approvals } from '../calls/approval.tsx';
import { AppWish } from './app-wish.tsx';
import { followLooks, hostContext, mostHeight } from './host-context.ts';
import { keepFocus } from './keep-focus.ts';
import './app.css';
import { t } from '../../../locales/texts/panel.ts';

/** Where its code ends. `unseen`: it was not scrolled to yet, and costs nothing. */
type State = 'unseen' | 'opening' | 'open' | 'closed' | 'flood' | 'left';

const LEAST_HEIGHT = 40;
const FIRST_HEIGHT = 160;

export type CallView = ComponentType<{ callId: string; fallback: ToolCall; writing: boolean }>;

/** What a wish of the app's waits for. */
type Asked = { wish: Wish; answer: (isDone: boolean) => void };

/**
 * The app of a call's server, which shows the call (MCP Apps), in a frame that reaches nothing of Portside's. What is around
 * the frame is Portside's: whose it is, what it asks for, and what it had called (`made`).
 */
export function CallApp(props: {
  call: ToolCall;
  /** Its arguments are still written. */
  isWritten: boolean;
  made: ToolCall[];
  /** How a call is drawn: the panel has that from its start. */
  CallView: CallView;
}): JSX.Element {
  const { call, isWritten, made, CallView } = props;
  const panel = usePanel();
  const { callId } = call;
  const name = t(($) => $.app.name, { server: givenName(call.serverName), tool: plainName(call.toolName) });
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const bridge = useRef<AppBridge | null>(null);
  const written = useRef<string | undefined>(undefined);
  written.current = isWritten ? call.arguments : undefined;
  const isOwnTab = location.hash.endsWith(`/${callId}`);
  const state = useSignal<State>(isOwnTab ? 'opening' : 'unseen');
  const fault = useSignal<WireError | null>(null);
  const mode = useSignal<'inline' | 'fullscreen'>(isOwnTab ? 'fullscreen' : 'inline');
  const asked = useSignal<Asked | null>(null);

  useEffect(() => {
    const holder = place.current;
    if (!holder || state.value !== 'unseen') return undefined;
    const sight = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) state.value = 'opening';
    });
    sight.observe(holder);
    return () => sight.disconnect();
  }, [state.value]);

  const show = (wanted: DisplayMode): DisplayMode => {
    if (wanted !== 'pip') mode.value = wanted;
    return mode.value;
  };
  const wish = (wanted: Wish): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    asked.value = {
      wish: wanted,
      answer: (isDone) => {
        asked.value = null;
        resolve(isDone);
      },
    };
    return promise;
  };

  const isOn = state.value === 'opening' || state.value === 'open';
  useEffect(() => {
    const holder = place.current;
    if (!holder || !isOn) return undefined;
    let isGone = false;
    const ends: (() => void)[] = [];
    const end = (): void => ends.splice(0).forEach((each) => each());
    const { conversationId, serverId, toolName } = call;
    const writing = isWritten && serverId !== null && { writing: { conversationId, serverId, toolName } };
    const begin = async (): Promise<void> => {
      // With its code, which is fetched when the first app is shown.
      const [{ createAppBridge }, opened] = await Promise.all([
        import('../../../lib/state/apps/bridge.ts'),
        panel.ask('openApp', { callId, ...writing }),
      ]);
      if (isGone) return;
      const frame = openFrame(holder, name);
      const close = async (why: State): Promise<void> => {
        await running.close();
        if (!isGone) state.value = why;
      };
      const appId = crypto.randomUUID();
      const running = createAppBridge({
        callId,
        opened,
        written: () => written.current,
        post: (message) => frame.contentWindow?.postMessage(message, '*'),
        ask: panel.ask,
        context: () => hostContext(holder, mode.peek()),
        resize: (height) => {
          const fitting = Math.min(Math.max(Math.ceil(height), LEAST_HEIGHT), mostHeight());
          holder.style.setProperty('--app-height', `${fitting}px`);
        },
        wish,
        show,
        offer: (tools) =>
          panel.appTools.put(appId, { callId, call: running.callTool, cancel: running.cancelTool }, tools),
        close: (why) => void close(why === 'flood' ? 'flood' : 'closed'),
        newId: () => crypto.randomUUID(),
        now: () => Date.now(),
      });
      bridge.current = running;
      let loads = 0;
      frame.addEventListener('load', () => {
        loads += 1;
        if (loads === 1) frame.contentWindow?.postMessage({ html: opened.html, policy: opened.policy }, '*');
        // Once for the document that is written; what is loaded after that is another page.
        else if (loads > 2) void close('left');
      });
      const hear = (event: MessageEvent): void => {
        if (event.source === frame.contentWindow && loads > 0) running.receive(() => event.data as unknown);
      };
      addEventListener('message', hear);
      const unfollow = followLooks(holder, () => running.contextChanged(hostContext(holder, mode.peek())));
      const unguard = keepFocus(frame, () => void close('flood'));
      ends.push(
        unfollow,
        unguard,
        () => removeEventListener('message', hear),
        running.drop,
        () => frame.remove(),
      );
      state.value = 'open';
    };
    begin().catch((error: unknown) => {
      if (isGone) return;
      fault.value = toWire(error);
      state.value = 'closed';
    });
    return () => {
      isGone = true;
      bridge.current = null;
      asked.peek()?.answer(false);
      mode.value = 'inline';
      end();
    };
  }, [isOn, callId]);

  useEffect(() => bridge.current?.callChanged(), [call.status, isWritten]);
  useEffect(() => bridge.current?.writtenMore(), [call.arguments]);
  useEffect(() => {
    const holder = place.current;
    if (holder) bridge.current?.contextChanged(hostContext(holder, mode.value));
  }, [mode.value]);
  useLayer(mode.value === 'fullscreen', () => (mode.value = 'inline'));

  const reopen = (): void => {
    fault.value = null;
    state.value = 'opening';
  };
  // What could not be shown while the call was written may be now.
  useEffect(() => {
    if (!isWritten && fault.peek()) reopen();
  }, [isWritten]);
  const closeApp = async (): Promise<void> => {
    await bridge.current?.close();
    state.value = 'closed';
  };
  const fills = mode.value === 'fullscreen';
  return (
    <section class="app" aria-labelledby={id} data-mode={mode.value}>
      <div class="app-head">
        <Icon of={AppWindow} small />
        <h3 class="grow cut" id={id}>
          {name}
        </h3>
        {isOn ? (
          <>
            <IconButton
              icon={fills ? Minimize2 : Maximize2}
              small
              label={fills ? t(($) => $.app.shrink) : t(($) => $.app.fill)}
              onClick={() => (mode.value = fills ? 'inline' : 'fullscreen')}
            />
            {!isOwnTab && (
              <a
                class="icon-btn"
                href={`sidepanel.html#app/${call.conversationId}/${callId}`}
                target="_blank"
                rel="noopener"
                aria-label={t(($) => $.app.tab)}
                title={t(($) => $.app.tab)}
              >
                <Icon of={ExternalLink} small />
              </a>
            )}
            <IconButton icon={X} small label={t(($) => $.app.close)} onClick={() => void closeApp()} />
          </>
        ) : (
          state.value !== 'unseen' && (
            <button class="btn s" onClick={reopen}>
              {t(($) => $.app.show)}
            </button>
          )
        )}
      </div>
      {(state.value === 'flood' || state.value === 'left') && (
        <p class="app-note" role="status">
          {t(($) => $.app.stopped[state.value === 'left' ? 'left' : 'flood'])}
        </p>
      )}
      {fault.value && (
        <p class="app-note" role="alert">
          <Fault error={fault.value} />
        </p>
      )}
      <div
        class="app-place"
        ref={place}
        hidden={!isOn && state.value !== 'unseen'}
        aria-busy={state.value === 'opening'}
        style={`--app-first: ${FIRST_HEIGHT}px`}
      />
      {asked.value && <AppWish call={call} wish={asked.value.wish} answer={asked.value.answer} />}
      {made.length > 0 && (
        <div class="app-calls">
          {made.map((each) => (
            <CallView key={each.callId} callId={each.callId} fallback={each} writing={false} />
          ))}
        </div>
      )}
      <Approvals callIds={made.map((each) => each.callId)} />
    </section>
  );
}

function openFrame(holder: HTMLElement, title: string): HTMLIFrameElement {
  const frame = Object.assign(document.createElement('iframe'), { src: '/app-frame.html', title });
  // Forms tell their scripts that they are sent, and go nowhere: the policy forbids that.
  frame.sandbox.add('allow-scripts', 'allow-forms');
  frame.referrerPolicy = 'no-referrer';
  holder.replaceChildren(frame);
  return frame;
}
