import type { ComponentChildren, JSX } from 'preact';
import { useId, useEffect, useMemo, useState } from 'preact/hooks';
import { titleOf } from '../../../lib/state/chat/call-names.ts';
import { givenName, inQuotes, isBare, plainName, visible } from '../../../lib/state/shown-text.ts';
import type { Taint } from '../../../lib/types/tools/approval.ts';
import { tierOf } from '../../../lib/types/tools/tier.ts';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import { isLive, OWN_TOOLS } from '../../../lib/types/tools/tool-source.ts';
import { usePanel } from '../../panel-context.ts';
import { TierBadge } from '../../ui/tier-badge.tsx';
import './approval.css';
import { AskCard } from '../ask-card.tsx';
import { t } from '../../../locales/texts/panel.ts';
import { units } from '../../../locales/units.ts';
import type { ToolSummary } from '../../../lib/protocol/setup.ts';
import type { ToolReview } from '../../../lib/protocol/tools.ts';
import { findToolAlike, serverAlike } from '../../../lib/state/trust/look-alike.ts';
import { DefinitionDiff } from '../../ui/definition-diff.tsx';
import { TrustWarning } from '../../ui/trust-warning.tsx';

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
      <ApprovalWarnings call={call} />
      {children}
    </AskCard>
  );
}

/** So many sources have room in a sentence. */
const NAMED = 3;

/** In a sentence any other name than a page's host may be read as a word of it: a file may be called "nothing", or like a host. */
const sourceName = (name: string, hosts: string[]): string =>
  hosts.includes(name) ? givenName(name) : quotedName(name);

const quotedName = (name: string): string => (isBare(name) ? inQuotes(givenName(name)) : givenName(name));

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
      : (URL.parse(server?.url ?? '')?.host ?? '');
  const title = titleOf(call, setup);
  const isOwn = call.serverId === OWN_TOOLS;
  // A page may call its tool like a host, beside its own, and an app like its server's.
  const given = isLive(call) ? title && quotedName(title) : givenName(title);
  const name = givenName(server?.name ?? call.serverName);
  const parts = [isOfOneTool && (isOwn ? title : given), name, place];
  return <>{[...new Set(parts)].filter(Boolean).join(', ')}</>;
}

/** What the user should know of a call's tool before they allow it: that it is another one than before, or may be taken for another. */
function ApprovalWarnings({ call }: { call: ToolCall }): JSX.Element | null {
  const setup = usePanel().setup.value;
  const tool = setup?.tools.find((other) => other.offeredName === call.namespacedName);
  const review = useReview(tool);
  const alike = useMemo(() => setup && tool && findToolAlike(setup)(tool), [setup, tool]);
  const server = setup?.servers.find(({ id }) => id === tool?.serverId);
  const twin = setup && server ? serverAlike(server, setup) : undefined;
  if (!tool?.review && !tool?.isSkill && !alike && twin === undefined) return null;
  return (
    <div class="ask-body">
      {alike && (
        <TrustWarning
          text={t(($) => $.approval.alike, { name: visible(alike.name), server: visible(alike.server) })}
        />
      )}
      {twin !== undefined && (
        <TrustWarning text={t(($) => $.approval.serverAlike, { name: visible(twin) })} />
      )}
      {tool?.isSkill ? (
        <p class="small">{t(($) => $.skills.asked, { review: tool.review ?? 'new' })}</p>
      ) : (
        tool?.review && <TrustWarning text={t(($) => $.approval.review[tool.review ?? 'changed'])} />
      )}
      {review && <DefinitionDiff review={review} />}
    </div>
  );
}

/** Asked anew when the tool became another one once more. */
function useReview(tool: ToolSummary | undefined): ToolReview | undefined {
  const { command } = usePanel();
  const [review, setReview] = useState<ToolReview>();
  useEffect(() => {
    if (!tool?.review && !tool?.isSkill) return setReview(undefined);
    let isWanted = true;
    const { serverId, name } = tool;
    void command('listTools', { serverId, name, all: true }).then(
      (found) => isWanted && setReview(found?.reply[0]?.review),
    );
    return () => void (isWanted = false);
  }, [tool?.offeredName, tool?.review, tool?.tokens, tool?.description]);
  return review;
}
