import type { ComponentChildren, JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CallAnswer } from '../../../lib/state/chat/answering.ts';
import { askedHosts } from '../../../lib/state/chat/asked-url.ts';
import { titleOf } from '../../../lib/state/chat/call-names.ts';
import { ownTitle } from '../../../lib/state/settings/own-server.ts';
import { urlOf } from '../../../lib/state/settings/setup.ts';
import { givenName, isBare, plainName } from '../../../lib/state/shown-text.ts';
import { SANDBOXED } from '../../../lib/types/page.ts';
import { SITE_KINDS, type SiteKind, isAddressed, siteKindsOf } from '../../../lib/types/site-rule.ts';
import { isReadTool, tierOf } from '../../../lib/types/tier.ts';
import { isServer, OWN_TOOLS } from '../../../lib/types/own-tools.ts';
import { actsOnPage, allowedTogether, isLive, type Taint, type ToolCall } from '../../../lib/types/tool.ts';
import { usePanel } from '../../panel-context.ts';
import { type useDecision, useOwnModEnter } from '../../ui/keys/decisions.ts';
import { SplitButton } from '../../ui/overlay/split-button.tsx';
import { TierBadge } from '../../ui/tier-badge.tsx';
import { ApprovalTrust } from './approval-trust.tsx';
import './approval.css';
import { AskCard } from '../ask-card.tsx';
import { t } from '../../../locales/texts/panel.ts';
import { t as shared } from '../../../locales/texts/shared.ts';
import { units } from '../../../locales/units.ts';

export type Scope = 'once' | 'chat' | 'always';

/** How far an Allow reaches. `readTools`: for this chat, and those other tools of the server. */
export type Allowing = Scope | { readTools: string[] };

/** As the worker is told it. */
export const reachOf = (to: Allowing): Pick<CallAnswer, 'scope' | 'readTools'> =>
  typeof to === 'string' ? { scope: to } : { scope: 'chat', readTools: to.readTools };

/** What it is that asks: the tool, its tier, and where it runs. */
export function Card(props: {
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
    <AskCard
      root={root}
      aria-labelledby={`${id}-title`}
      aria-describedby={[`${id}-from`, `${id}-behind`].join(' ')}
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
            <From call={call} isOfOneTool={isNamed} />
          </p>
          {aside}
        </div>
        {call.byApp !== undefined && <p class="small subtle">{t(($) => $.approval.byApp)}</p>}
        {taint && <Behind id={`${id}-behind`} taint={taint} />}
      </div>
      <ApprovalTrust call={call} />
      {children}
    </AskCard>
  );
}

/** So many sources have room in a sentence. */
const NAMED = 3;

/** Of the page that it would act on, else of the addresses among its arguments, and of the page that gives way to one. */
export const hostsOf = (call: ToolCall, args = call.edited ?? call.arguments): string[] => {
  const sites = sitesOf(call);
  if (isAddressed(call)) return [...new Set([...askedHosts(args), ...sites])];
  return sites.length > 0 ? sites : askedHosts(args);
};

/** A page's own tools are none of a plan: others' words may be behind each of them. */
export const isInPage = ({ serverId, toolName }: ToolCall): boolean =>
  serverId === OWN_TOOLS && actsOnPage(serverId, toolName);

/** In a tab whose site the browser does not tell, or in a sandbox: it could be anybody's by the next call. */
const isInUntold = (call: ToolCall): boolean =>
  isInPage(call) && (call.reads === undefined || call.targetSites?.includes(SANDBOXED) === true);

/** Of whichever site: what is allowed for longer than once holds for all of them. */
const readsPage = ({ annotations, reads }: ToolCall): boolean =>
  reads !== undefined && tierOf(annotations) === 'reads';

/** The hosts of the page that a call would act on, and of the frames there. */
const sitesOf = ({ annotations, reads = '', targetSites = [] }: ToolCall): string[] =>
  tierOf(annotations) === 'reads'
    ? []
    : [reads, ...targetSites].map((site) => URL.parse(site)?.host ?? '').filter(Boolean);

/** In a sentence any other name than a page's host may be read as a word of it: a file may be called "nothing", or like a host. */
const sourceName = (name: string, hosts: string[]): string =>
  hosts.includes(name) ? givenName(name) : quotedName(name);

const quotedName = (name: string): string =>
  isBare(name) ? t(($) => $.quoted, { text: givenName(name) }) : givenName(name);

/** Whose names others gave, in a sentence. @param hosts those among them that are pages' hosts */
export const named = (names: string[], hosts: string[]): string => {
  const first = names.slice(0, NAMED).map((name) => sourceName(name, hosts));
  const rest = names.length - first.length;
  return units.listed([...first, ...(rest > 0 ? [t(($) => $.card.moreTools, { count: rest })] : [])]);
};

/** What may be behind the call: what the chat has read that others wrote. `words`: in other words than an approval's. */
export function Behind({
  id,
  words,
  taint: { from, hosts = [], again, isPart, quotes },
}: {
  id: string;
  words?: (sources: string) => string;
  taint: Taint;
}): JSX.Element {
  const sources = named(from, hosts);
  const read =
    words ??
    ((all) =>
      again ? t(($) => $.approval.readSince, { sources: all }) : t(($) => $.approval.read, { sources: all }));
  return (
    <div class="ask-behind small" id={id}>
      {from.length > 0 && <p>{read(sources)}</p>}
      {quotes.length > 0 && (
        <p>
          {t(($) => $.approval.quoted, {
            sources: units.listed([...new Set(quotes.map((quote) => sourceName(quote.from, hosts)))]),
          })}
        </p>
      )}
      {isPart && <p>{t(($) => $.approval.partlyCompared)}</p>}
    </div>
  );
}

/** The server and the machine that it is on. */
function From({ call, isOfOneTool }: { call: ToolCall; isOfOneTool: boolean }): JSX.Element {
  const setup = usePanel().setup.value;
  const server = setup?.servers.find((other) => other.id === call.serverId);
  if (call.serverId === null) return <>{t(($) => $.approval.ownTool)}</>;
  const place =
    server?.transport === 'stdio'
      ? t(($) => $.approval.thisComputer)
      : (urlOf(server?.url ?? '')?.host ?? '');
  const title = titleOf(call, setup);
  const isOwn = call.serverId === OWN_TOOLS;
  // A page may call its tool like a host, beside its own, and an app like its server's.
  const given = isLive(call) ? title && quotedName(title) : givenName(title);
  const name = givenName(server?.name ?? call.serverName);
  const parts = [isOfOneTool && (isOwn ? title : given), name, place];
  return <>{[...new Set(parts)].filter(Boolean).join(', ')}</>;
}

export function Choices(props: {
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
  allow: (to: Allowing) => void;
  deny: (word?: string) => void;
  forbid: (kind: SiteKind) => void;
}): JSX.Element {
  const { all, keys, invalid = false, hosts, calls, isOnce = false, allow, deny, forbid } = props;
  const disabled = invalid || isOnce || calls.some(isInUntold);
  const others = alsoAllowed(calls);
  const isNeverAlways = calls.some(isLive);
  const readTools = useReadTools(calls);
  const [explains, setExplains] = useState(false);
  const scopeNotes = [
    ...(calls.some(readsPage) ? [t(($) => $.approval.everySite)] : []),
    ...(hosts.length > 0 ? [t(($) => $.approval.onlyFor, { sites: named([...new Set(hosts)], hosts) })] : []),
    ...(others.length > 0 ? [t(($) => $.approval.alsoFor, { tools: units.listed(others) })] : []),
    ...(readTools.length > 0 ? [t(($) => $.approval.readToolsFor, { tools: named(readTools, []) })] : []),
  ];
  return (
    <div class="ask-foot">
      {all ? <FirstEffect calls={calls} /> : calls.map((call) => <Effects key={call.callId} call={call} />)}
      <div class="choices">
        <SplitButton
          primary
          disabled={invalid}
          keys={keys.allow}
          press={() => allow('once')}
          more={t(($) => $.approval.moreAllow)}
          notes={disabled ? [] : scopeNotes}
          ways={[
            { name: t(($) => $.approval.allowChat), act: () => allow('chat'), disabled },
            ...(readTools.length > 0
              ? [{ name: t(($) => $.approval.allowReadTools), act: () => allow({ readTools }), disabled }]
              : []),
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
          ways={[
            { name: t(($) => $.approval.denyWithReason), act: () => setExplains(true) },
            ...SITE_KINDS.filter((kind) => calls.some((each) => forbiddable(each).includes(kind))).map(
              (kind) => ({
                name: t(($) => $.approval.never, { kind: shared(($) => $.siteKinds[kind]) }),
                act: () => forbid(kind),
              }),
            ),
          ]}
        >
          {all ? t(($) => $.approval.denyAll) : t(($) => $.approval.deny)}
        </SplitButton>
      </div>
      {explains && <Reason deny={deny} />}
    </div>
  );
}

/** What a call does beyond the page, of which it is asked about again. */
export function Effects({ call: { submits, downloads, presses } }: { call: ToolCall }): JSX.Element {
  return (
    <>
      {submits && <p class="ask-only small subtle">{t(($) => $.approval.submits)}</p>}
      {downloads && <p class="ask-only small subtle">{t(($) => $.approval.downloads)}</p>}
      {presses && <p class="ask-only small subtle">{t(($) => $.approval.presses)}</p>}
    </>
  );
}

/** In a line, since the call itself may be out of sight. */
function FirstEffect({ calls }: { calls: ToolCall[] }): JSX.Element | null {
  const call = calls.find(({ submits, downloads }) => submits ?? downloads);
  if (!call) return null;
  const does = call.submits ? t(($) => $.approval.submits) : t(($) => $.approval.downloads);
  return (
    <p class="ask-only small subtle cut">
      {ownTitle(call.toolName) ?? plainName(call.toolName)}: {does}
    </p>
  );
}

/** The other tools of their server that may be allowed with calls that only read. */
function useReadTools(calls: ToolCall[]): string[] {
  const tools = usePanel().setup.value?.tools ?? [];
  const asked = tools.filter(({ offeredName }) => calls.some((call) => call.namespacedName === offeredName));
  const [{ serverId } = { serverId: OWN_TOOLS }] = asked;
  if (!isServer(serverId) || !asked.every(isReadTool)) return [];
  return tools
    .filter((tool) => tool.serverId === serverId && !asked.includes(tool))
    .filter((tool) => isReadTool(tool) && !tool.isSkill)
    .map(({ name }) => name);
}

/** What its site may never get again, where it is known. */
const forbiddable = (call: ToolCall): SiteKind[] =>
  call.reads !== undefined || isAddressed(call) ? siteKindsOf(call) : [];

/** Of several, those of other kinds are only denied. */
export const denied = (call: ToolCall, never: SiteKind): CallAnswer => ({
  decision: 'deny',
  ...(forbiddable(call).includes(never) && { never }),
});

/** The titles of the other tools that an Allow for longer than once holds for. */
const alsoAllowed = (calls: ToolCall[]): string[] => {
  const asked = new Set(calls.map(({ toolName }) => toolName));
  const all = new Set(calls.flatMap(({ serverId, toolName }) => allowedTogether(serverId, toolName)));
  return [...all.difference(asked)].map((name) => ownTitle(name) ?? name);
};

/** A word to the model, which goes with Deny; Enter in it denies, with Ctrl or without. */
function Reason({ deny }: { deny: (word: string) => void }): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  useOwnModEnter(field, true);
  const said = (): string => field.current?.value.trim() ?? '';
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.isComposing) return;
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
