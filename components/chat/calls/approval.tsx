import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CallAnswer } from '../../../lib/state/chat/answering.ts';
import { ownRules } from '../../../lib/types/tools/own-tool-rules.ts';
import { tierOf } from '../../../lib/types/tools/tier.ts';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import { usePanel } from '../../panel-context.ts';
import { ArgumentLines } from './approval-arguments.tsx';
import { ReadSite } from './approval-addresses.tsx';
import {
  type Allowing,
  denied,
  hostsOf,
  isInPage,
  reachOf,
} from '../../../lib/state/trust/approval-rules.ts';
import { Card } from './approval-card.tsx';
import { Choices } from './approval-choices.tsx';
import { ArgumentsEditor, useArguments } from './approval-editing.tsx';
import { isOfOneTool, Together } from './approval-together.tsx';
import { NoteCard } from './note-card.tsx';
import { HandOver } from './hand-over.tsx';
import { useDecision } from '../../ui/keys/decisions.ts';
import { useFocusAfter } from '../../ui/overlay/use-focus-after.ts';
import { useGuard } from '../use-guard.ts';
import { t } from '../../../locales/texts/panel.ts';

/**
 * Those of these calls, of a message or an app, that wait for permission, or ask something of the user: the first, and then the same one until it is answered; several of
 * one tool together.
 */
export function Approvals({ callIds }: { callIds: string[] }): JSX.Element | null {
  const { chat } = usePanel();
  const calls = useComputed(() => chat.value.calls);
  const shown = useRef<string | null>(null);
  const [apart, setApart] = useState(false);
  const most = useRef(0);
  const waiting = callIds
    .map((callId) => calls.value[callId])
    .filter((call) => call?.wait === 'permission' || call?.wait === 'hand_over');
  const call = waiting.find((other) => other?.callId === shown.current) ?? waiting[0];
  shown.current = call?.callId ?? null;
  if (!call) return null;
  if (call.wait === 'hand_over') return <HandOver key={call.callId} call={call} />;
  if (proposesNote(call)) return <NoteCard key={call.callId} call={call} />;
  const total = (most.current = Math.max(most.current, waiting.length));
  const alike = apart ? [] : waiting.flatMap((other) => (other && isAlike(call, other) ? [other] : []));
  return alike.length > 1 ? (
    <Together
      key={alike.map(({ callId }) => callId).join(' ')}
      calls={alike}
      setApart={() => setApart(true)}
    />
  ) : (
    <Approval key={call.callId} call={call} position={total - waiting.length + 1} total={total} />
  );
}

const proposesNote = (call: ToolCall): boolean => ownRules(call)?.alwaysAsks === true;

/** Of one tool, or a plan for one page. What destroys, or is not shown whole, is answered for itself. */
const isAlike = (call: ToolCall, other: ToolCall): boolean =>
  other.wait === 'permission' &&
  (isOfOneTool([call, other]) || (isInPage(call) && isInPage(other) && isOfOneTab(call, other))) &&
  tierOf(other.annotations) !== 'destructive' &&
  !other.omittedArguments;

const isOfOneTab = (call: ToolCall, other: ToolCall): boolean =>
  call.reads === other.reads && call.at?.tab === other.at?.tab;

function Approval(props: { call: ToolCall; position: number; total: number }): JSX.Element {
  const { call, position, total } = props;
  const panel = usePanel();
  const id = useId();
  const { root, guarded } = useGuard();
  const args = useArguments(call);
  const [editing, setEditing] = useState(false);
  const editPressed = useRef(false);
  const edit = (): void => {
    editPressed.current = true;
    setEditing(true);
  };
  const leave = (): void => setEditing(false);
  // What had the focus is gone: the button that brought the field, or the field.
  useLayoutEffect(() => {
    if (editPressed.current)
      root.current?.querySelector<HTMLElement>('.ask-arguments-edit, textarea')?.focus();
  }, [editing]);
  useFocusAfter(root);

  const answer = (given: CallAnswer): Promise<void> =>
    guarded(async () => {
      const refused = await panel.resolveCall(call.callId, given);
      if (!refused) return;
      args.refuse(refused.cause ?? refused.message);
      setEditing(args.omitted === 0);
    });
  const invalid = args.fault !== null;
  const allow = (to: Allowing): void => {
    if (invalid) return;
    void answer({ decision: 'allow', ...reachOf(to), ...(args.changed && { arguments: args.text }) });
  };
  const deny = (word?: string): void => void answer({ decision: 'deny', ...(word && { word }) });
  const keys = useDecision(root, {
    allow: () => allow('once'),
    deny,
    ...(editing && { leave }),
  });
  return (
    <Card
      root={root}
      call={call}
      aside={
        total > 1 && (
          <span class="small subtle num">{t(($) => $.approval.position, { position, total })}</span>
        )
      }
    >
      <div class="ask-body">
        {editing ? (
          <ArgumentsEditor id={`${id}-arguments`} args={args} call={call} />
        ) : (
          <ArgumentLines
            text={args.text}
            call={call}
            isEdited={args.edited}
            {...(args.omitted === 0 && { edit })}
          />
        )}
        <ReadSite call={call} />
        {args.fault !== null && (
          <p class="help bad" id={`${id}-arguments-fault`} role="status">
            {args.fault}
          </p>
        )}
        {args.omitted > 0 && (
          <p class="help bad">{t(($) => $.approval.omitted, { characters: args.omitted })}</p>
        )}
      </div>
      <Choices
        keys={invalid ? { ...keys, allow: null } : keys}
        invalid={invalid}
        hosts={hostsOf(call, args.text)}
        calls={[call]}
        isOnce={args.omitted > 0}
        allow={allow}
        deny={deny}
        forbid={(never) => void answer(denied(call, never))}
      />
    </Card>
  );
}
