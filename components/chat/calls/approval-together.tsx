import { Pencil, Undo2, X } from 'lucide';
import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CallAnswer } from '../../../lib/state/chat/answering.ts';
import { ownTitle } from '../../../lib/state/settings/own-server.ts';
import { plainName } from '../../../lib/state/shown-text.ts';
import type { Taint } from '../../../lib/types/tools/approval.ts';
import { tierOf, TIERS } from '../../../lib/types/tools/tier.ts';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import { OWN_TOOLS } from '../../../lib/types/tools/tool-source.ts';
import { usePanel } from '../../panel-context.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { useDecision } from '../../ui/keys/decisions.ts';
import { useFocusAfter } from '../../ui/overlay/use-focus-after.ts';
import { useGuard } from '../use-guard.ts';
import { ArgumentLines } from './approval-arguments.tsx';
import { ReadSite } from './approval-addresses.tsx';
import { type Allowing, denied, hostsOf, reachOf } from '../../../lib/state/trust/approval-rules.ts';
import { Card } from './approval-card.tsx';
import { Choices, Effects } from './approval-choices.tsx';
import { ArgumentsEditor, type ArgumentsState, useArguments } from './approval-editing.tsx';
import { t } from '../../../locales/texts/panel.ts';

export const isOfOneTool = (calls: ToolCall[]): boolean =>
  calls.every(({ toolName, serverId }) => toolName === calls[0]?.toolName && serverId === calls[0].serverId);

/** One that says of all what their card has to: what goes furthest, and all that may be behind them. */
function standingFor(calls: ToolCall[]): ToolCall | undefined {
  const [furthest] = calls.toSorted(
    (a, b) => TIERS.indexOf(tierOf(b.annotations)) - TIERS.indexOf(tierOf(a.annotations)),
  );
  const taints = calls.flatMap(({ taint }) => taint ?? []);
  if (!furthest || taints.length === 0) return furthest;
  const hosts = [...new Set(taints.flatMap((taint) => taint.hosts ?? []))];
  const taint: Taint = {
    from: [...new Set(taints.flatMap(({ from }) => from))],
    quotes: taints.flatMap(({ quotes }) => quotes),
    ...(hosts.length > 0 && { hosts }),
    ...(taints.some(({ again }) => again) && { again: true }),
    ...(taints.some(({ isPart }) => isPart) && { isPart: true }),
  };
  return { ...furthest, taint };
}

/**
 * Several calls, answered with one decision: each may be edited before, or left out, which denies it.
 * @param props.calls as many as long as the card is there
 */
export function Together({
  calls,
  setApart,
}: {
  calls: ToolCall[];
  setApart: () => void;
}): JSX.Element | null {
  const panel = usePanel();
  const { root, guarded } = useGuard();
  const all = calls.map((call) => ({ call, args: useArguments(call) }));
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const [edits, setEdits] = useState<string | null>(null);
  useFocusAfter(root);
  const kept = all.filter(({ call: { callId } }) => !leftOut.has(callId));
  const asked = (kept.length > 0 ? kept : all).map(({ call }) => call);
  const call = standingFor(asked);
  const answer = ({ callId }: ToolCall, given: CallAnswer) => panel.resolveCall(callId, given);
  const invalid = kept.length === 0 || kept.some(({ args }) => args.fault !== null);
  // A grant is for later calls, and for the addresses of these.
  const allow = (to: Allowing): void => {
    if (!invalid) void guarded(() => allowKept(to));
  };
  const allowKept = async (to: Allowing): Promise<void> => {
    const fits = await Promise.all(kept.map(({ args }) => args.check()));
    // All of it, or nothing yet.
    if (fits.includes(false)) return setEdits(kept[fits.indexOf(false)]?.call.callId ?? null);
    const made = all.map(async ({ call: each, args }) => {
      if (leftOut.has(each.callId)) return answer(each, { decision: 'deny' });
      const edited = args.changed && { arguments: args.text };
      const refused = await answer(each, { decision: 'allow', ...reachOf(to), ...edited });
      if (refused) args.refuse(refused.cause ?? refused.message);
      return refused;
    });
    await Promise.all(made);
  };
  const denyEach = (given: (each: ToolCall) => CallAnswer): void =>
    void guarded(() => Promise.all(calls.map((each) => answer(each, given(each)))));
  const deny = (word?: string): void => denyEach(() => ({ decision: 'deny', ...(word && { word }) }));
  const toggleOut = (callId: string): void => {
    setLeftOut(leftOut.symmetricDifference(new Set([callId])));
    setEdits(null);
  };
  const keys = useDecision(root, {
    allow: () => allow('once'),
    deny,
    ...(edits !== null && { leave: () => setEdits(null) }),
  });
  if (!call) return null;
  const isOneSite = calls.every(({ reads, at }) => reads === call.reads && at?.tab === call.at?.tab);
  return (
    <Card
      root={root}
      call={call}
      count={asked.length}
      isOfOneTool={isOfOneTool(asked)}
      aside={
        <button type="button" class="btn quiet s" onClick={setApart}>
          {t(($) => $.approval.apart)}
        </button>
      }
    >
      {isOneSite && (
        <div class="ask-body">
          <ReadSite call={call} />
        </div>
      )}
      <ul class="ask-body ask-calls">
        {all.map((each) => (
          <OneOfThem
            key={each.call.callId}
            {...each}
            isNamed={!isOfOneTool(calls)}
            isOneSite={isOneSite}
            isOut={leftOut.has(each.call.callId)}
            isEditing={edits === each.call.callId}
            toggleEditing={() => setEdits(edits === each.call.callId ? null : each.call.callId)}
            toggleOut={() => toggleOut(each.call.callId)}
          />
        ))}
      </ul>
      <Choices
        all
        keys={invalid ? { ...keys, allow: null } : keys}
        invalid={invalid}
        hosts={kept.flatMap((each) => hostsOf(each.call, each.args.text))}
        calls={asked}
        allow={allow}
        deny={deny}
        forbid={(never) => denyEach((each) => denied(each, never))}
      />
    </Card>
  );
}

function OneOfThem(props: {
  call: ToolCall;
  args: ArgumentsState;
  isNamed: boolean;
  /** Of all calls together, which the card tells once. */
  isOneSite: boolean;
  isOut: boolean;
  isEditing: boolean;
  toggleEditing: () => void;
  toggleOut: () => void;
}): JSX.Element {
  const { call, args, isNamed, isOneSite, isOut, isEditing, toggleEditing, toggleOut } = props;
  const id = useId();
  const root = useRef<HTMLLIElement>(null);
  const wasEditing = useRef(false);
  const title = call.serverId === OWN_TOOLS ? ownTitle(call.toolName) : undefined;
  // The field is there, or what had the focus is gone with it.
  useLayoutEffect(() => {
    if (isEditing) root.current?.querySelector('textarea')?.focus();
    else if (wasEditing.current && !root.current?.contains(document.activeElement))
      root.current?.querySelector<HTMLElement>('[aria-expanded]')?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  return (
    <li ref={root} class={[isOut && 'out', !isNamed && !isEditing && 'unnamed'].filter(Boolean).join(' ')}>
      <div class="ask-call">
        {isNamed &&
          (title === undefined ? <code>{plainName(call.toolName)}</code> : <strong>{title}</strong>)}
        {args.edited && !isOut && !isEditing && <span class="badge">{t(($) => $.approval.edited)}</span>}
        <span class="grow" />
        {isOut ? (
          <span class="badge">{t(($) => $.approval.leftOut)}</span>
        ) : (
          <IconButton
            icon={Pencil}
            small
            label={t(($) => $.actions.edit)}
            aria-expanded={isEditing}
            onClick={toggleEditing}
          />
        )}
        <IconButton
          icon={isOut ? Undo2 : X}
          small
          label={isOut ? t(($) => $.approval.putBack) : t(($) => $.approval.leaveOut)}
          onClick={toggleOut}
        />
      </div>
      {isEditing ? (
        <ArgumentsEditor id={id} args={args} call={call} />
      ) : (
        <ArgumentLines text={args.text} call={call} isOneLine />
      )}
      {!isOneSite && <ReadSite call={call} />}
      {!isOut && <Effects call={call} />}
      {args.fault !== null && !isOut && (
        <p class="help bad" id={`${id}-fault`} role="status">
          {args.fault}
        </p>
      )}
    </li>
  );
}
