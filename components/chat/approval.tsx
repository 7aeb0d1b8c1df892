import { ArrowUpRight, Eye, Pencil, Trash2, type IconNode } from 'lucide';
import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { en } from '../../locales/en.ts';
import type { CallAnswer } from '../../lib/state/panel.ts';
import { urlOf } from '../../lib/state/setup.ts';
import { visible } from '../../lib/state/shown-text.ts';
import { tierOf, type Tier } from '../../lib/state/tier.ts';
import { callIdOf, type ToolCall } from '../../lib/types/tool.ts';
import { usePanel } from '../panel-context.ts';
import { Icon } from '../ui/icon.tsx';
import { ArgumentsField, useArguments } from './approval-arguments.tsx';
import './approval.css';

/** Input is ignored for so long after an approval appears, so that a stray key or click cannot answer it. */
const GUARD_MS = 500;

/** One of a message's calls that waits for permission: the first, and then the same one until it is answered. */
export function Approvals({ messageId, count }: { messageId: string; count: number }): JSX.Element | null {
  const { calls } = usePanel().chat.value;
  const shown = useRef<string | null>(null);
  const waiting = Array.from({ length: count }, (_, position) => calls[callIdOf(messageId, position)]).filter(
    (call) => call?.wait === 'permission',
  );
  const call = waiting.find((other) => other?.callId === shown.current) ?? waiting[0];
  shown.current = call?.callId ?? null;
  return call ? <Approval key={call.callId} call={call} total={waiting.length} /> : null;
}

function Approval({ call, total }: { call: ToolCall; total: number }): JSX.Element {
  const panel = usePanel();
  const id = useId();
  const since = useRef(performance.now());
  const root = useRef<HTMLDivElement>(null);
  const asked = useRef(false);
  const [word, setWord] = useState('');
  const args = useArguments(call);
  useFocusAfter(root);

  const answer = async (given: CallAnswer): Promise<void> => {
    if (asked.current || performance.now() - since.current < GUARD_MS) return;
    asked.current = true;
    const refused = await panel.resolveCall(call.callId, given);
    asked.current = false;
    if (refused) args.refuse(refused.cause ?? refused.message);
  };
  const allow = (scope: 'once' | 'chat' | 'always'): void => {
    if (args.fault !== null) return;
    void answer({ decision: 'allow', scope, ...(args.changed && { arguments: args.text }) });
  };
  const deny = (): void => {
    const said = word.trim();
    void answer({ decision: 'deny', ...(said !== '' && { word: said }) });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === 'Escape') deny();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) allow('once');
    else return;
    event.preventDefault();
  };
  return (
    <div
      class="ask"
      ref={root}
      role="alertdialog"
      aria-modal="false"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-from`}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <Head id={id} call={call} total={total} />
      <div class="ask-body">
        <ArgumentsField id={`${id}-arguments`} args={args} />
        {args.omitted > 0 && <p class="help bad">{en.approval.omitted(args.omitted)}</p>}
      </div>
      <Choices invalid={args.fault !== null} allow={allow} deny={deny} word={word} setWord={setWord} />
    </div>
  );
}

/** What it is that asks: the tool, its tier, and where it runs. */
function Head({ id, call, total }: { id: string; call: ToolCall; total: number }): JSX.Element {
  return (
    <div class="ask-head">
      <div class="top">
        <TierBadge tier={tierOf(call.annotations)} />
        <span class="grow" />
        {total > 1 && <span class="small subtle num">{en.approval.position(1, total)}</span>}
      </div>
      <h2 id={`${id}-title`}>
        {en.approval.verb} <code>{visible(call.toolName)}</code>
      </h2>
      <p class="small subtle" id={`${id}-from`}>
        <From call={call} />
      </p>
    </div>
  );
}

/** When the card goes away with the focus in it, the focus goes where the person writes. */
function useFocusAfter(root: { current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const card = root.current;
    return () => {
      if (!card?.contains(document.activeElement)) return;
      document.querySelector<HTMLElement>('.composer textarea')?.focus();
    };
  }, [root]);
}

const tiers: Record<Tier, { icon: IconNode; tone: string }> = {
  reads: { icon: Eye, tone: '' },
  writes: { icon: Pencil, tone: '' },
  sends: { icon: ArrowUpRight, tone: ' warn' },
  destructive: { icon: Trash2, tone: ' danger' },
};

function TierBadge({ tier }: { tier: Tier }): JSX.Element {
  return (
    <span class={`badge${tiers[tier].tone}`}>
      <Icon of={tiers[tier].icon} />
      {en.approval.tier[tier]}
    </span>
  );
}

/** The server and the machine that it is on. */
function From({ call }: { call: ToolCall }): JSX.Element {
  const server = usePanel().setup.value?.servers.find((other) => other.id === call.serverId);
  if (call.serverId === null) return <>{en.approval.ownTool}</>;
  const parts = [visible(server?.name ?? call.serverName), urlOf(server?.url ?? '')?.host ?? ''];
  return <>{[...new Set(parts)].filter(Boolean).join(', ')}</>;
}

function Choices(props: {
  invalid: boolean;
  allow: (scope: 'once' | 'chat' | 'always') => void;
  deny: () => void;
  word: string;
  setWord: (word: string) => void;
}): JSX.Element {
  const { invalid, allow, deny, word, setWord } = props;
  return (
    <div class="ask-foot">
      <div class="choices">
        <button
          class="btn primary"
          aria-keyshortcuts="Control+Enter"
          disabled={invalid}
          onClick={() => allow('once')}
        >
          {en.approval.allowOnce}
          <kbd aria-hidden="true">{en.approval.keyAllow}</kbd>
        </button>
        <button class="btn" aria-keyshortcuts="Escape" onClick={deny}>
          {en.approval.deny}
          <kbd aria-hidden="true">{en.approval.keyDeny}</kbd>
        </button>
      </div>
      <div class="choices">
        <button class="btn s" disabled={invalid} onClick={() => allow('chat')}>
          {en.approval.allowChat}
        </button>
        <button class="btn s" disabled={invalid} onClick={() => allow('always')}>
          {en.approval.allowAlways}
        </button>
        <Reason word={word} setWord={setWord} deny={deny} />
      </div>
    </div>
  );
}

/** A word to the model, which goes with Deny; Enter in it denies. */
function Reason(props: { word: string; setWord: (word: string) => void; deny: () => void }): JSX.Element {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.isComposing) return;
    event.preventDefault();
    props.deny();
  };
  return (
    <input
      class="reason small"
      type="text"
      aria-label={en.approval.reason}
      placeholder={en.approval.reasonHint}
      value={props.word}
      onInput={(event) => props.setWord(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}
