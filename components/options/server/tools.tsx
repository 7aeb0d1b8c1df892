import { TriangleAlert } from 'lucide';
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { toWire } from '../../../lib/errors.ts';
import type { ToolSummary } from '../../../lib/protocol/setup.ts';
import type { ListedTool } from '../../../lib/protocol/tools.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { findToolAlike } from '../../../lib/state/trust/look-alike.ts';
import type { WireError } from '../../../lib/types/error.ts';
import type { Server, ServerStatus } from '../../../lib/types/server.ts';
import { Icon } from '../../ui/icon.tsx';
import { Segments } from '../../ui/fields.tsx';
import { useSetup, useSetupState } from '../options-context.ts';
import { TableHead } from '../form/table-head.tsx';
import { Problem } from '../form/problem.tsx';
import { useAction } from '../form/use-action.ts';
import { WorkButton } from '../form/work-button.tsx';
import { Empty, useFirstRows } from './offered.tsx';
import { filterTools, offeredSum, type ToolFilter } from './tool-list.ts';
import { ToolRow } from './tool-row.tsx';
import { t as inPanel } from '../../../locales/texts/panel.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { t } from '../../../locales/texts/settings.ts';

const columns = ['use', 'tool', 'can', 'tokens', 'permission', 'details'] as const;
/** The tools of one server: which models may see, which they may call without asking, and what each one is. */
export function ServerTools(props: {
  server: Server;
  status: ServerStatus;
  tools: ToolSummary[];
}): JSX.Element {
  const { server, status, tools } = props;
  const [text, setText] = useState('');
  const [show, setShow] = useState<ToolFilter>('all');
  const { listed, error } = useListed(server.id, tools);
  const found = useMemo(() => filterTools(tools, show, text), [tools, show, text]);
  if (tools.length === 0) return <Empty server={server} status={status} of="tools" />;
  const { on, price } = offeredSum(tools);
  return (
    <>
      <div class="toolbar bar">
        <SearchField label={t(($) => $.toolList.search)} value={text} set={setText} />
        <Segments
          label={t(($) => $.toolList.show)}
          value={show}
          options={t(($) => $.toolList.filters)}
          set={setShow}
        />
        <span class="grow" />
        <span class="small subtle num" role="status">
          {t(($) => $.toolList.count, { on, all: tools.length, price })}
        </span>
        <TurnAll serverId={server.id} tools={tools} />
      </div>
      {error && <Problem error={error} />}
      <ToAccept serverId={server.id} tools={tools} listed={listed} />
      {found.length === 0 ? (
        <p class="blank muted">{t(($) => $.toolList.noMatch)}</p>
      ) : (
        <ToolTable tools={found} listed={listed} />
      )}
    </>
  );
}

/** How many of its tools are not what the user saw, and a way to accept them all, once each is here to be looked at. */
function ToAccept(props: {
  serverId: number;
  tools: ToolSummary[];
  listed: ReadonlyMap<string, ListedTool> | null;
}): JSX.Element | null {
  const { serverId, tools, listed } = props;
  const { command } = useSetupState();
  const action = useAction();
  const count = tools.filter(({ review }) => review).length;
  if (count === 0) return null;
  const toLookAt = new Set(tools.flatMap(({ name, review }) => (review ? name : [])));
  const shown = [...(listed?.values() ?? [])].flatMap(({ toolName: name, review, fingerprint }) =>
    review && toLookAt.has(name) ? [{ name, fingerprint }] : [],
  );
  return (
    <div class="notice block" role="status">
      <Icon of={TriangleAlert} />
      <p>{t(($) => $.toolList.toAccept, { count })}</p>
      <div class="actions">
        <WorkButton
          class="s"
          busy={action.busy}
          press={() => action.run(() => command('acceptTools', { serverId, tools: shown }))}
        >
          {t(($) => $.toolList.acceptAll)}
        </WorkButton>
      </div>
      {action.error && <Problem error={action.error} />}
    </div>
  );
}

function TurnAll({ serverId, tools }: { serverId: number; tools: ToolSummary[] }): JSX.Element {
  const { command } = useSetupState();
  const action = useAction();
  const turn = (enabled: boolean): void => action.run(() => command('setTools', { serverId, enabled }));
  const usable = tools.filter(({ problem }) => problem === undefined);
  return (
    <>
      <div class="actions">
        {usable.some(({ enabled }) => !enabled) && (
          <WorkButton class="quiet s" busy={action.busy} press={() => turn(true)}>
            {t(($) => $.toolList.allOn)}
          </WorkButton>
        )}
        {usable.some(({ enabled }) => enabled) && (
          <WorkButton class="quiet s" busy={action.busy} press={() => turn(false)}>
            {t(($) => $.toolList.allOff)}
          </WorkButton>
        )}
      </div>
      {action.error && <Problem error={action.error} />}
    </>
  );
}

function ToolTable(props: {
  tools: ToolSummary[];
  listed: ReadonlyMap<string, ListedTool> | null;
}): JSX.Element {
  const { tools, listed } = props;
  const setup = useSetup();
  const alikeTo = useMemo(() => findToolAlike(setup), [setup.tools, setup.servers]);
  const alike = (tool: ToolSummary): string | undefined => {
    const found = alikeTo(tool);
    return (
      found && inPanel(($) => $.approval.alike, { name: visible(found.name), server: visible(found.server) })
    );
  };
  const { shown, showAll } = useFirstRows(tools);
  return (
    <>
      <table class="grid framed tools" aria-label={t(($) => $.serverPage.tabs.tools)}>
        <TableHead
          columns={columns}
          names={t(($) => $.toolList.columns)}
          end={['tokens']}
          visuallyHidden={['use', 'details']}
        />
        <tbody>
          {shown.map((tool) => (
            <ToolRow
              key={tool.name}
              tool={tool}
              listed={listed?.get(tool.offeredName) ?? null}
              alike={alike(tool)}
            />
          ))}
        </tbody>
      </table>
      {showAll}
    </>
  );
}

/** The tools with their schemas, by offered name; null until they are here. */
function useListed(
  serverId: number,
  tools: ToolSummary[],
): { listed: ReadonlyMap<string, ListedTool> | null; error: WireError | null } {
  const { command } = useSetupState();
  const [listed, setListed] = useState<ReadonlyMap<string, ListedTool> | null>(null);
  const [error, setError] = useState<WireError | null>(null);
  // What the user chose of them changes no schema.
  const definitions = tools
    .map(({ offeredName, present, tokens, description, annotations, review }) =>
      JSON.stringify([offeredName, present, tokens, description, annotations, review]),
    )
    .join('\n');
  useEffect(() => {
    let isWanted = true;
    command('listTools', { serverId, all: true }).then(
      (found) => isWanted && setListed(new Map(found.map((tool) => [tool.fullName, tool]))),
      (failure: unknown) => isWanted && setError(toWire(failure)),
    );
    return () => void (isWanted = false);
  }, [serverId, definitions]);
  return { listed, error };
}
