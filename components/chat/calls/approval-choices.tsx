import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ownTitle } from '../../../lib/state/settings/own-server.ts';
import { plainName } from '../../../lib/state/shown-text.ts';
import {
  type Allowing,
  alsoAllowed,
  forbiddable,
  isInUntold,
  readsPage,
} from '../../../lib/state/trust/approval-rules.ts';
import { isReadTool } from '../../../lib/types/tools/tier.ts';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import { isLive, isServer, OWN_TOOLS } from '../../../lib/types/tools/tool-source.ts';
import { SITE_KINDS, type SiteKind } from '../../../lib/types/site-rule.ts';
import { usePanel } from '../../panel-context.ts';
import { type useDecision, useOwnModEnter } from '../../ui/keys/decisions.ts';
import { SplitButton } from '../../ui/overlay/split-button.tsx';
import { named } from './approval-card.tsx';
import { t } from '../../../locales/texts/panel.ts';
import { t as shared } from '../../../locales/texts/shared.ts';
import { units } from '../../../locales/units.ts';

/** The buttons of an approval, under what the calls do beyond the page. */
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
