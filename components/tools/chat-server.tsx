import { ChevronRight } from 'lucide';
import type { JSX } from 'preact';
import { useState, useEffect } from 'preact/hooks';
import type { Setup } from '../../lib/protocol/setup.ts';
import {
  chooseServer,
  switchServer,
  type ChatServer,
  type ToolChoice,
} from '../../lib/state/settings/chat-tools.ts';
import { visible, visibleError } from '../../lib/state/shown-text.ts';
import type { ToolChanges, ToolOverrides } from '../../lib/types/conversation.ts';
import type { ServerStatus, Server } from '../../lib/types/server.ts';
import { OWN_TOOLS } from '../../lib/types/tools/tool-source.ts';
import { type openSettings, usePanel } from '../panel-context.ts';
import { Icon } from '../ui/icon.tsx';
import { ChatSkills, ChatToolList } from './chat-tool-list.tsx';
import { t } from '../../locales/texts/panel.ts';
import { units } from '../../locales/units.ts';
import { LongText } from '../ui/long-text.tsx';

type ItemProps = {
  /** With the tools that are looked for. */
  of: ChatServer;
  /** With all of its tools. */
  whole: ChatServer;
  searching: boolean;
  /** All of the chat's tools go with each request. */
  allSent: boolean;
  setup: Setup;
  overrides: ToolOverrides;
  change: (changes: ToolChanges) => void;
  /** Opens a page of Settings in the sheet's place. */
  leave: typeof openSettings;
};

/** One server: how it stands, whether this chat uses it, and its tools. */
export function ChatServerItem(props: ItemProps): JSX.Element {
  const { of, whole, searching, allSent, setup, overrides, change, leave } = props;
  const { server, tools } = of;
  const name = visible(server.name);
  const [opened, setOpened] = useState(false);
  const open = opened || searching;
  return (
    <li class="server" aria-label={name}>
      <div class="server-line">
        {tools.length > 0 ? (
          <button
            class="icon-btn"
            aria-label={t(($) => $.chatTools.of, { name })}
            title={t(($) => $.chatTools.of, { name })}
            aria-expanded={open}
            onClick={() => setOpened(!opened)}
          >
            <Icon of={ChevronRight} small class="turn" />
          </button>
        ) : (
          <span />
        )}
        <span class="lamp" data-state={whole.status.state} />
        <div class="server-what">
          <p class={server.enabled ? 'cut' : 'cut muted'}>{name}</p>
          <Standing of={whole} />
        </div>
        <Aside of={whole} allSent={allSent} leave={leave} />
        <label class="switch">
          <input
            type="checkbox"
            role="switch"
            aria-label={t(($) => $.chatTools.use, { name })}
            checked={server.enabled && (whole.tools.length > 0 ? whole.on > 0 : whole.choice !== 'off')}
            disabled={!server.enabled}
            onChange={() => change(switchServer(overrides, whole, setup))}
          />
        </label>
      </div>
      {open && tools.length > 0 && (
        <div class="server-open">
          {!searching && <AllTools of={whole} set={(choice) => change(chooseServer(whole, choice))} />}
          <ChatToolList tools={tools.filter(({ isSkill }) => !isSkill)} change={change} />
          <ChatSkills skills={tools.filter(({ isSkill }) => isSkill)} change={change} />
          {server.id !== OWN_TOOLS && <Instructions server={server} />}
        </div>
      )}
    </li>
  );
}

/** Its state in words, and what there is to say about it. */
function Standing({ of: { server, status, tools: all } }: { of: ChatServer }): JSX.Element {
  const tools = all.filter(({ isSkill }) => !isSkill);
  const on = tools.filter((tool) => tool.on).length;
  const { state, error, reason } = status;
  const words = error && visibleError(error);
  const detail = !server.enabled
    ? t(($) => $.chatTools.off)
    : reason
      ? t(($) => $.chatTools.needs[reason])
      : words
        ? (words.cause ?? words.message)
        : tools.length > 0
          ? t(($) => $.chatTools.onOf, { on, all: tools.length })
          : '';
  return (
    <p class={`sub${state === 'error' ? ' bad' : ''}`} title={words?.message}>
      <span role="status">
        {server.id === OWN_TOOLS ? t(($) => $.chatTools.own) : t(($) => $.chatTools.states[state])}
      </span>
      {detail !== '' && <span>{visible(detail)}</span>}
    </p>
  );
}

/** What to do about a server that does not work, else what its tools cost in every request. */
function Aside(props: { of: ChatServer; allSent: boolean; leave: typeof openSettings }): JSX.Element {
  const { server, status, tokens, on } = props.of;
  const { command } = usePanel();
  const name = visible(server.name);
  if (!server.enabled) return <span />;
  const there = doneInSettings(status);
  if (there) {
    return (
      <button
        class="btn s"
        aria-label={t(($) => $.chatTools.inSettings[there].named, { name })}
        onClick={() => props.leave(`servers/${server.id}`)}
      >
        {t(($) => $.chatTools.inSettings[there].word)}
      </button>
    );
  }
  if (status.state === 'error' || status.state === 'disconnected') {
    return (
      <button
        class="btn s"
        aria-label={t(($) => $.chatTools.reconnectTo, { name })}
        onClick={() => void command('reconnectServer', { id: server.id })}
      >
        {t(($) => $.chatTools.reconnect)}
      </button>
    );
  }
  return <span class="small subtle num">{props.allSent && on > 0 && units.amount(tokens)}</span>;
}

/** What only the server's page in the settings can do about it, if anything. */
function doneInSettings({
  reason,
  error,
}: ServerStatus): keyof Texts.Panel['chatTools']['inSettings'] | undefined {
  return reason ?? (error?.code.startsWith('native_host_') ? 'native_host' : undefined);
}

const CHOICES: ToolChoice[] = ['inherit', 'on', 'off'];

/** All of a server's tools at once. */
function AllTools({ of, set }: { of: ChatServer; set: (choice: ToolChoice) => void }): JSX.Element {
  const name = visible(of.server.name);
  const single = of.tools.some(({ choice }) => choice !== 'inherit');
  return (
    <div class="seg" role="radiogroup" aria-label={t(($) => $.chatTools.choice, { name })}>
      {CHOICES.map((choice) => (
        <label key={choice}>
          <input
            type="radio"
            name={`tools-of-${of.server.id}`}
            checked={!single && of.choice === choice}
            onChange={() => set(choice)}
          />
          {t(($) => $.chatTools.choices[choice])}
        </label>
      ))}
    </div>
  );
}

/** What a server wants models to know of it, as it said so. */
function Instructions({ server }: { server: Server }): JSX.Element | null {
  const { command } = usePanel();
  const [text, setText] = useState('');
  useEffect(() => {
    let current = true;
    const load = async (): Promise<void> => {
      const answer = await command('serverOffer', { serverId: server.id });
      if (current) setText(answer?.reply?.info.instructions ?? '');
    };
    void load();
    return () => {
      current = false;
    };
  }, [command, server.id]);
  if (text === '') return null;
  return (
    <details class="instructions small">
      <summary>{t(($) => $.chatTools.instructions)}</summary>
      <p class="help">
        {server.withoutInstructions
          ? t(($) => $.chatTools.instructionsKept)
          : t(($) => $.chatTools.instructionsSent)}
      </p>
      <p class="quoted plain">
        <LongText text={visible(text)} />
      </p>
    </details>
  );
}
