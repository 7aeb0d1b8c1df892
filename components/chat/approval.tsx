import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import type { CallAnswer } from '../../lib/state/answering.ts';
import { titleOf } from '../../lib/state/call-names.ts';
import { urlOf } from '../../lib/state/setup.ts';
import { visible } from '../../lib/state/shown-text.ts';
import { tierOf } from '../../lib/types/tier.ts';
import { callIdOf, type ToolCall } from '../../lib/types/tool.ts';
import { usePanel } from '../panel-context.ts';
import { TierBadge } from '../ui/tier-badge.tsx';
import { ArgumentsField, useArguments } from './approval-arguments.tsx';
import './approval.css';
import { useDecision } from '../ui/decisions.ts';
import { useFocusAfter } from '../ui/use-focus-after.ts';
import { useGuard } from './use-guard.ts';
import { t } from '../../locales/texts/panel.ts';

/** One of a message's calls that waits for permission: the first, and then the same one until it is answered. */
export function Approvals({ messageId, count }: { messageId: string; count: number }): JSX.Element | null {
  const { chat } = usePanel();
  const calls = useComputed(() => chat.value.calls);
  const shown = useRef<string | null>(null);
  const waiting = Array.from(
    { length: count },
    (_, position) => calls.value[callIdOf(messageId, position)],
  ).filter((call) => call?.wait === 'permission');
  const call = waiting.find((other) => other?.callId === shown.current) ?? waiting[0];
  shown.current = call?.callId ?? null;
  return call ? <Approval key={call.callId} call={call} total={waiting.length} /> : null;
}

function Approval({ call, total }: { call: ToolCall; total: number }): JSX.Element {
  const panel = usePanel();
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const guarded = useGuard();
  const [word, setWord] = useState('');
  const args = useArguments(call);
  useFocusAfter(root);

  const answer = (given: CallAnswer): Promise<void> =>
    guarded(async () => {
      const refused = await panel.resolveCall(call.callId, given);
      if (refused) args.refuse(refused.cause ?? refused.message);
    });
  const allow = (scope: 'once' | 'chat' | 'always'): void => {
    if (args.fault !== null) return;
    void answer({ decision: 'allow', scope, ...(args.changed && { arguments: args.text }) });
  };
  const deny = (): void => {
    const said = word.trim();
    void answer({ decision: 'deny', ...(said !== '' && { word: said }) });
  };
  useDecision(root, { allow: () => allow('once'), deny });
  return (
    <div
      class="ask"
      ref={root}
      role="alertdialog"
      aria-modal="false"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-from`}
      tabIndex={-1}
    >
      <Head id={id} call={call} total={total} />
      <div class="ask-body">
        <ArgumentsField id={`${id}-arguments`} args={args} />
        {args.omitted > 0 && (
          <p class="help bad">{t(($) => $.approval.omitted, { characters: args.omitted })}</p>
        )}
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
        {total > 1 && (
          <span class="small subtle num">{t(($) => $.approval.position, { position: 1, total })}</span>
        )}
      </div>
      <h2 id={`${id}-title`}>
        {t(($) => $.approval.verb)} <code>{visible(call.toolName)}</code>
      </h2>
      <p class="small subtle" id={`${id}-from`}>
        <From call={call} />
      </p>
    </div>
  );
}

/** The server and the machine that it is on. */
function From({ call }: { call: ToolCall }): JSX.Element {
  const setup = usePanel().setup.value;
  const server = setup?.servers.find((other) => other.id === call.serverId);
  if (call.serverId === null) return <>{t(($) => $.approval.ownTool)}</>;
  const place =
    server?.transport === 'stdio'
      ? t(($) => $.approval.thisComputer)
      : (urlOf(server?.url ?? '')?.host ?? '');
  const parts = [titleOf(call, setup), visible(server?.name ?? call.serverName), place];
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
  const { text } = usePanel();
  return (
    <div class="ask-foot">
      <div class="choices">
        <button
          class="btn primary"
          aria-keyshortcuts="Control+Enter"
          disabled={invalid}
          onClick={() => allow('once')}
        >
          {t(($) => $.approval.allowOnce)}
          {/* With something written the key sends that. */}
          {text.value.trim() === '' && <kbd aria-hidden="true">{t(($) => $.approval.keyAllow)}</kbd>}
        </button>
        <button class="btn" aria-keyshortcuts="Escape" onClick={deny}>
          {t(($) => $.approval.deny)}
          <kbd aria-hidden="true">{t(($) => $.approval.keyDeny)}</kbd>
        </button>
      </div>
      <div class="choices">
        <button class="btn s" disabled={invalid} onClick={() => allow('chat')}>
          {t(($) => $.approval.allowChat)}
        </button>
        <button class="btn s" disabled={invalid} onClick={() => allow('always')}>
          {t(($) => $.approval.allowAlways)}
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
      aria-label={t(($) => $.approval.reason)}
      placeholder={t(($) => $.approval.reasonHint)}
      value={props.word}
      onInput={(event) => props.setWord(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}
