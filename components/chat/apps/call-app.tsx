import type { Signal } from '@preact/signals';
import { AppWindow, ExternalLink, Maximize2, Minimize2, X } from 'lucide';
import type { ComponentType, JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import { Fault } from '../../ui/fault.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useLayer } from '../../ui/overlay/layers.ts';
import { givenName, plainName } from '../../../lib/state/shown-text.ts';
import { Approvals } from '../calls/approval.tsx';
import { Requests } from '../requests/request.tsx';
import { AppWish } from './app-wish.tsx';
import { useApp } from './use-app.ts';
import './app.css';
import { t } from '../../../locales/texts/panel.ts';

const FIRST_HEIGHT = 160;

export type CallView = ComponentType<{ callId: string; fallback: ToolCall; writing: boolean }>;

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
  const name = t(($) => $.app.name, { server: givenName(call.serverName), tool: plainName(call.toolName) });
  const id = useId();
  const app = useApp(call, isWritten, name);
  const { place, state, isOn, fault, mode, asked } = app;
  useLayer(mode.value === 'fullscreen', () => (mode.value = 'inline'));
  return (
    <section class="app" aria-labelledby={id} data-mode={mode.value}>
      <div class="app-head">
        <Icon of={AppWindow} small />
        <h3 class="grow cut" id={id}>
          {name}
        </h3>
        {isOn ? (
          <AppButtons call={call} mode={mode} isOwnTab={app.isOwnTab} close={app.close} />
        ) : (
          state !== 'unseen' && (
            <button class="btn s" onClick={app.reopen}>
              {t(($) => $.app.show)}
            </button>
          )
        )}
      </div>
      {(state === 'flood' || state === 'left') && (
        <p class="app-note" role="status">
          {t(($) => $.app.stopped[state])}
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
        hidden={!isOn && state !== 'unseen'}
        aria-busy={state === 'opening'}
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
      <Requests calls={made.map((each) => each.callId)} />
    </section>
  );
}

/** What the user does with an app that runs: fills the panel with it, opens it in a tab, closes it. */
function AppButtons(props: {
  call: ToolCall;
  mode: Signal<'inline' | 'fullscreen'>;
  isOwnTab: boolean;
  close: () => Promise<void>;
}): JSX.Element {
  const { call, mode, isOwnTab, close } = props;
  const fills = mode.value === 'fullscreen';
  return (
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
          href={`sidepanel.html#app/${call.conversationId}/${call.callId}`}
          target="_blank"
          rel="noopener"
          aria-label={t(($) => $.app.tab)}
          title={t(($) => $.app.tab)}
        >
          <Icon of={ExternalLink} small />
        </a>
      )}
      <IconButton icon={X} small label={t(($) => $.app.close)} onClick={() => void close()} />
    </>
  );
}
