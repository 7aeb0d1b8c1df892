import { useComputed } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CallAnswer } from '../../../lib/state/chat/answering.ts';
import { askedHosts } from '../../../lib/state/chat/asked-url.ts';
import { titleOf } from '../../../lib/state/chat/call-names.ts';
import { ownTitle } from '../../../lib/state/settings/own-server.ts';
import { urlOf } from '../../../lib/state/settings/setup.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { tierOf, type Tier } from '../../../lib/types/tier.ts';
import {
  actsOnPage,
  allowedTogether,
  callIdOf,
  OWN_TOOLS,
  PAGE_TOOLS,
  type Taint,
  type ToolCall,
} from '../../../lib/types/tool.ts';
import { usePanel } from '../../panel-context.ts';
import { SplitButton } from '../../ui/overlay/split-button.tsx';
import { TierBadge } from '../../ui/tier-badge.tsx';
import { ArgumentLines, ArgumentsField, ReadSite, useArguments } from './approval-arguments.tsx';
import { HandOver } from './hand-over.tsx';
import { ApprovalTrust } from './approval-trust.tsx';
import './approval.css';
import { useDecision } from '../../ui/keys/decisions.ts';
import { useFocusAfter } from '../../ui/overlay/use-focus-after.ts';
import { useGuard } from '../use-guard.ts';
import { t } from '../../../locales/texts/panel.ts';
import { units } from '../../../locales/units.ts';

type Scope = 'once' | 'chat' | 'always';

/**
 * Those of a message's calls that wait for permission, or ask something of the user: the first, and then the same one until it is answered; several of
 * one tool together.
 */
export function Approvals({ messageId, count }: { messageId: string; count: number }): JSX.Element | null {
  const { chat } = usePanel();
  const calls = useComputed(() => chat.value.calls);
  const shown = useRef<string | null>(null);
  const [apart, setApart] = useState(false);
  const most = useRef(0);
  const waiting = Array.from(
    { length: count },
    (_, position) => calls.value[callIdOf(messageId, position)],
  ).filter((call) => call?.wait === 'permission' || call?.wait === 'hand_over');
  const call = waiting.find((other) => other?.callId === shown.current) ?? waiting[0];
  shown.current = call?.callId ?? null;
  if (!call) return null;
  if (call.wait === 'hand_over') return <HandOver key={call.callId} call={call} />;
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

/** Of one tool, or a plan for one page. What destroys, or is not shown whole, is answered for itself. */
const isAlike = (call: ToolCall, other: ToolCall): boolean =>
  other.wait === 'permission' &&
  (isOfOneTool([call, other]) || (isInPage(call) && isInPage(other) && call.reads === other.reads)) &&
  tierOf(other.annotations) !== 'destructive' &&
  !other.omittedArguments;

const isOfOneTool = (calls: ToolCall[]): boolean =>
  calls.every(({ toolName, serverId }) => toolName === calls[0]?.toolName && serverId === calls[0].serverId);

/** A page's own tools are none of a plan: others' words may be behind each of them. */
const isInPage = ({ serverId, toolName }: ToolCall): boolean =>
  serverId === OWN_TOOLS && actsOnPage(serverId, toolName);

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
  };
  return { ...furthest, taint };
}

const TIERS: Tier[] = ['reads', 'writes', 'sends', 'destructive'];

/** Several calls, answered with one decision. */
function Together({ calls, setApart }: { calls: ToolCall[]; setApart: () => void }): JSX.Element | null {
  const panel = usePanel();
  const root = useRef<HTMLDivElement>(null);
  const guarded = useGuard();
  const call = standingFor(calls);
  useFocusAfter(root);
  const answer = (given: CallAnswer): void =>
    void guarded(() => Promise.all(calls.map(({ callId }) => panel.resolveCall(callId, given))));
  // A grant is for later calls, and for the addresses of these.
  const allow = (scope: Scope): void => answer({ decision: 'allow', scope });
  const deny = (word?: string): void => answer({ decision: 'deny', ...(word && { word }) });
  const keys = useDecision(root, { allow: () => allow('once'), deny });
  if (!call) return null;
  return (
    <Card
      root={root}
      call={call}
      count={calls.length}
      isOfOneTool={isOfOneTool(calls)}
      aside={
        <button type="button" class="btn quiet s" onClick={setApart}>
          {t(($) => $.approval.apart)}
        </button>
      }
    >
      <ul class="ask-body ask-calls">
        {calls.map((each) => (
          <li key={each.callId}>
            {!isOfOneTool(calls) && <code>{plainName(each.toolName)}</code>}
            <ArgumentLines
              text={each.edited ?? each.arguments}
              quotes={each.taint?.quotes}
              targets={each.targets}
              files={each.files}
              isOneLine
            />
            <ReadSite call={each} />
          </li>
        ))}
      </ul>
      <Choices
        all
        keys={keys}
        hosts={calls.flatMap((each) => hostsOf(each))}
        calls={calls}
        allow={allow}
        deny={deny}
      />
    </Card>
  );
}

function Approval(props: { call: ToolCall; position: number; total: number }): JSX.Element {
  const { call, position, total } = props;
  const panel = usePanel();
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const guarded = useGuard();
  const args = useArguments(call);
  const [editing, setEditing] = useState(args.omitted > 0);
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
      setEditing(true);
    });
  const invalid = args.fault !== null;
  const allow = (scope: Scope): void => {
    if (invalid) return;
    void answer({ decision: 'allow', scope, ...(args.changed && { arguments: args.text }) });
  };
  const deny = (word?: string): void => void answer({ decision: 'deny', ...(word && { word }) });
  const keys = useDecision(root, {
    allow: () => allow('once'),
    deny,
    ...(editing && args.omitted === 0 && { leave }),
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
          <ArgumentsField id={`${id}-arguments`} args={args} />
        ) : (
          <ArgumentLines
            text={args.text}
            quotes={call.taint?.quotes}
            targets={call.targets}
            files={call.files}
            isEdited={args.edited}
            edit={edit}
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
      />
    </Card>
  );
}

/** What it is that asks: the tool, its tier, and where it runs. */
function Card(props: {
  root: { current: HTMLDivElement | null };
  call: ToolCall;
  /** Several calls are answered with it. */
  count?: number;
  isOfOneTool?: boolean;
  aside?: ComponentChildren;
  children: ComponentChildren;
}): JSX.Element {
  const { root, call, count, isOfOneTool: isNamed = true, aside, children } = props;
  const id = useId();
  const { taint } = call;
  return (
    <div
      class="ask"
      ref={root}
      role="alertdialog"
      aria-modal="false"
      aria-labelledby={`${id}-title`}
      aria-describedby={[`${id}-from`, `${id}-behind`].join(' ')}
      tabIndex={-1}
    >
      <div class="ask-head">
        <div class="top">
          <h2 id={`${id}-title`}>
            {t(($) => $.approval.verb)} {isNamed && <code>{plainName(call.toolName)}</code>}
            {count !== undefined && `${isNamed ? ', ' : ''}${t(($) => $.approval.calls, { count })}`}
          </h2>
          <TierBadge tier={tierOf(call.annotations)} />
        </div>
        <div class="ask-from">
          <p class="small subtle" id={`${id}-from`}>
            <From call={call} />
          </p>
          {aside}
        </div>
        {taint && <Behind id={`${id}-behind`} taint={taint} />}
      </div>
      <ApprovalTrust call={call} />
      {children}
    </div>
  );
}

/** So many sources have room in a sentence. */
const NAMED = 3;

/** Of the page that it would act on, else of the addresses among its arguments. */
const hostsOf = (call: ToolCall, args = call.edited ?? call.arguments): string[] => {
  const sites = sitesOf(call);
  return sites.length > 0 ? sites : askedHosts(args);
};

/** In a tab whose site the browser does not tell: it could be any by the next call. */
const isInUntold = (call: ToolCall): boolean => isInPage(call) && call.reads === undefined;

/** Of whichever site: what is allowed for longer than once holds for all of them. */
const readsPage = ({ annotations, reads }: ToolCall): boolean =>
  reads !== undefined && tierOf(annotations) === 'reads';

/** The hosts of the page that a call would act on, and of the frames there. */
const sitesOf = ({ annotations, reads = '', targetSites = [] }: ToolCall): string[] =>
  tierOf(annotations) === 'reads'
    ? []
    : [reads, ...targetSites].map((site) => URL.parse(site)?.host ?? '').filter(Boolean);

/** Characters of a name that others gave. */
const LONGEST_NAME = 40;
/** What no host and no single word has: some blanks are no white space, and a comma begins the next name. */
const OTHER_THAN_A_NAME = /[^\p{L}\p{M}\p{N}._:[\]-]/u;

/** A server, a page or a file may have a sentence for a name: only a host or a plain name stands without quotation marks. */
export function givenName(name: string): string {
  const shown = visible(name);
  const isPlain = !OTHER_THAN_A_NAME.test(shown);
  // A host says at its end whose it is.
  const cut = isPlain
    ? `…${shown.slice(1 - LONGEST_NAME)}`
    : `${shown.slice(0, LONGEST_NAME - 1).trimEnd()}…`;
  const text = shown.length > LONGEST_NAME ? cut : shown;
  return isPlain ? text : t(($) => $.pages.quoted, { text });
}

/** A tool's name, whole where it is no more than that. */
const plainName = (name: string): string =>
  OTHER_THAN_A_NAME.test(visible(name)) ? givenName(name) : visible(name);

/** In a sentence any other name than a page's host may be read as a word of it: a file may be called "nothing", or like a host. */
const sourceName = (name: string, hosts: string[]): string => {
  const given = givenName(name);
  const isBare = !hosts.includes(name) && !OTHER_THAN_A_NAME.test(visible(name));
  return isBare ? t(($) => $.pages.quoted, { text: given }) : given;
};

const named = (names: string[], hosts: string[]): string => {
  const first = names.slice(0, NAMED).map((name) => sourceName(name, hosts));
  const rest = names.length - first.length;
  return units.listed([...first, ...(rest > 0 ? [t(($) => $.card.moreTools, { count: rest })] : [])]);
};

/** What may be behind the call: what the chat has read that others wrote. */
function Behind({
  id,
  taint: { from, hosts = [], again, quotes },
}: {
  id: string;
  taint: Taint;
}): JSX.Element {
  const sources = named(from, hosts);
  return (
    <div class="ask-behind small" id={id}>
      {from.length > 0 && (
        <p>{again ? t(($) => $.approval.readSince, { sources }) : t(($) => $.approval.read, { sources })}</p>
      )}
      {quotes.length > 0 && (
        <p>
          {t(($) => $.approval.quoted, {
            sources: units.listed([...new Set(quotes.map((quote) => sourceName(quote.from, hosts)))]),
          })}
        </p>
      )}
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
  const title = titleOf(call, setup);
  const isOwn = call.serverId === OWN_TOOLS;
  const name = givenName(server?.name ?? call.serverName);
  const parts = [isOwn ? title : givenName(title), name, place];
  return <>{[...new Set(parts)].filter(Boolean).join(', ')}</>;
}

function Choices(props: {
  /** Of several calls. */
  all?: boolean;
  keys: ReturnType<typeof useDecision>;
  invalid?: boolean;
  /** Of the addresses among the arguments: what is allowed for longer than once reaches no others. */
  hosts: string[];
  /** That are answered. */
  calls: ToolCall[];
  /** What was not shown whole can't be allowed for longer. */
  isOnce?: boolean;
  allow: (scope: Scope) => void;
  deny: (word?: string) => void;
}): JSX.Element {
  const { all, keys, invalid = false, hosts, calls, isOnce = false, allow, deny } = props;
  const disabled = invalid || isOnce || calls.some(isInUntold);
  const others = alsoAllowed(calls);
  // A page's tool is none of those that are kept.
  const isNeverAlways = calls.some(({ serverId }) => serverId === PAGE_TOOLS);
  const [explains, setExplains] = useState(false);
  return (
    <div class="ask-foot">
      {calls.some(readsPage) && <p class="ask-only small subtle">{t(($) => $.approval.everySite)}</p>}
      {hosts.length > 0 && (
        <p class="ask-only small subtle">
          {t(($) => $.approval.onlyFor, { sites: named([...new Set(hosts)], hosts) })}
        </p>
      )}
      {others.length > 0 && (
        <p class="ask-only small subtle">{t(($) => $.approval.alsoFor, { tools: units.listed(others) })}</p>
      )}
      {calls.some(({ submits }) => submits) && (
        <p class="ask-only small subtle">{t(($) => $.approval.submits)}</p>
      )}
      {calls.some(({ presses }) => presses) && (
        <p class="ask-only small subtle">{t(($) => $.approval.presses)}</p>
      )}
      <div class="choices">
        <SplitButton
          primary
          disabled={invalid}
          keys={keys.allow}
          press={() => allow('once')}
          more={t(($) => $.approval.moreAllow)}
          ways={[
            { name: t(($) => $.approval.allowChat), act: () => allow('chat'), disabled },
            ...(isNeverAlways
              ? []
              : [{ name: t(($) => $.approval.allowAlways), act: () => allow('always'), disabled }]),
          ]}
        >
          {all ? t(($) => $.approval.allowAll) : t(($) => $.approval.allowOnce)}
        </SplitButton>
        <SplitButton
          keys={keys.deny}
          press={() => deny()}
          more={t(($) => $.approval.moreDeny)}
          ways={[{ name: t(($) => $.approval.denyWithReason), act: () => setExplains(true) }]}
        >
          {all ? t(($) => $.approval.denyAll) : t(($) => $.approval.deny)}
        </SplitButton>
      </div>
      {explains && <Reason deny={deny} />}
    </div>
  );
}

/** The titles of the other tools that an Allow for longer than once holds for. */
const alsoAllowed = (calls: ToolCall[]): string[] => {
  const asked = new Set(calls.map(({ toolName }) => toolName));
  const all = new Set(calls.flatMap(({ serverId, toolName }) => allowedTogether(serverId, toolName)));
  return [...all.difference(asked)].map((name) => ownTitle(name) ?? name);
};

/** A word to the model, which goes with Deny; Enter in it denies. */
function Reason({ deny }: { deny: (word: string) => void }): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const said = (): string => field.current?.value.trim() ?? '';
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.isComposing) return;
    event.preventDefault();
    deny(said());
  };
  return (
    <div class="reason">
      <input
        class="input"
        type="text"
        ref={field}
        aria-label={t(($) => $.approval.reason)}
        placeholder={t(($) => $.approval.reasonHint)}
        onKeyDown={onKeyDown}
      />
      <button type="button" class="btn" onClick={() => deny(said())}>
        {t(($) => $.approval.denySaying)}
      </button>
    </div>
  );
}
