import { ChevronDown, ChevronRight, TriangleAlert, Wrench } from 'lucide';
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ToolSummary } from '../../../lib/protocol/setup.ts';
import type { ListedTool, ToolReview } from '../../../lib/protocol/tools.ts';
import { titleOfTool } from '../../../lib/state/settings/own-server.ts';
import { pretty, visible } from '../../../lib/state/shown-text.ts';
import type { Permission } from '../../../lib/types/tools/approval.ts';
import { tierOf } from '../../../lib/types/tools/tier.ts';
import { DefinitionDiff } from '../../ui/definition-diff.tsx';
import { GivenIcon } from '../../ui/given-icon.tsx';
import { Icon } from '../../ui/icon.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { memo } from '../../ui/memo.tsx';
import { TrustWarning } from '../../ui/trust-warning.tsx';
import { TierBadge } from '../../ui/tier-badge.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Segments, Switch } from '../../ui/fields.tsx';
import { useSetupState } from '../options-context.ts';
import { SetByOrganisation } from '../form/managed.tsx';
import { Problem } from '../form/problem.tsx';
import { useAction } from '../form/use-action.ts';
import { WorkButton } from '../form/work-button.tsx';
import { useChanges } from '../form/use-changes.ts';
import { TryTool } from './try-tool.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { units } from '../../../locales/units.ts';
import { t } from '../../../locales/texts/settings.ts';

type Props = {
  tool: ToolSummary;
  /** With its schema; null until that is here. */
  listed: ListedTool | null;
  /** That it may be taken for another one, in a sentence. */
  alike: string | undefined;
};

/** One tool, and under it, when it is open, its schema and a way to try it. Drawn anew only when it is another. */
export const ToolRow = memo(({ tool, listed, alike }: Props): JSX.Element => {
  const [open, setOpen] = useState(false);
  const { command } = useSetupState();
  const { send, error } = useChanges();
  const name = visible(tool.name);
  const set = (change: { enabled?: boolean; permission?: Permission }): void =>
    send(() => {
      // The user turns off and blocks it whatever it is.
      const seen = change.permission === 'allow' && listed && { fingerprint: listed.fingerprint };
      return command('setTool', { serverId: tool.serverId, name: tool.name, ...change, ...seen });
    });
  const isUnfit = tool.problem !== undefined;
  const classes = [open && 'open', !isUnfit && !tool.enabled && 'off'].filter(Boolean).join(' ');
  return (
    <>
      <tr class={classes}>
        <td class="use">
          {isUnfit ? (
            <Icon of={TriangleAlert} class="unfit" />
          ) : (
            <Switch
              label={t(($) => $.toolList.use, { tool: name })}
              checked={tool.enabled}
              set={(enabled) => set({ enabled })}
            />
          )}
        </td>
        <td class="what" colSpan={isUnfit ? 4 : 1}>
          <Name tool={tool} icons={listed?.icons} />
          {alike !== undefined && <TrustWarning text={alike} />}
        </td>
        {!isUnfit && (
          <>
            <td class="tier">
              <TierBadge tier={tierOf(tool.annotations)} />
            </td>
            <td class="r num small subtle tokens" data-label={t(($) => $.toolList.columns.tokens)}>
              {units.whole(tool.tokens)}
            </td>
            <td class="permission">
              {tool.isForbidden ? (
                <SetByOrganisation />
              ) : (
                <Segments
                  label={t(($) => $.toolList.permissionFor, { tool: name })}
                  value={tool.permission}
                  options={t(($) => $.toolList.permission)}
                  set={(permission) => set({ permission })}
                  quiet
                />
              )}
            </td>
          </>
        )}
        <td class="r edit">
          <IconButton
            icon={open ? ChevronDown : ChevronRight}
            small
            label={t(($) => $.toolList.detailsOf, { tool: name })}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          />
        </td>
      </tr>
      {error && (
        <tr class="detail">
          <td colSpan={6}>
            <Problem error={error} />
          </td>
        </tr>
      )}
      {open && (
        <tr class="detail">
          <td colSpan={6}>
            <ToolDetails tool={tool} listed={listed} />
          </td>
        </tr>
      )}
    </>
  );
});

function Name(props: { tool: ToolSummary; icons: ListedTool['icons'] | undefined }): JSX.Element {
  const { tool, icons } = props;
  const { name, problem, present, description } = tool;
  const title = titleOfTool(tool);
  return (
    <>
      <span class="tool-name">
        {icons && <GivenIcon icons={icons} otherwise={Wrench} />}
        <code>{breakable(visible(name))}</code>
        {title !== undefined && (
          <span class="small muted cut" dir="auto">
            {visible(title)}
          </span>
        )}
        {tool.isSkill && <span class="badge">{t(($) => $.toolList.skill)}</span>}
        {tool.review && <span class="badge warn">{t(($) => $.toolList.review[tool.review ?? 'new'])}</span>}
      </span>
      {problem === undefined ? (
        <span class="sub brief" dir="auto">
          {present ? visible(description) : t(($) => $.toolList.missing)}
        </span>
      ) : (
        <span class="sub">{t(($) => $.toolList.notOffered, { problem: visible(problem) })}</span>
      )}
    </>
  );
}

/** A name that may go on in the next line after each of its words. */
const breakable = (name: string): ComponentChildren =>
  name.split(/(?<=_)(?!_|$)/).flatMap((word, at) => (at === 0 ? [word] : [<wbr key={at} />, word]));

/** What its server made of it since the user saw it, which they may accept as it is shown. */
function Review({ listed, review }: { listed: ListedTool; review: ToolReview }): JSX.Element {
  const { command } = useSetupState();
  const action = useAction();
  const { serverId, toolName: name, fingerprint } = listed;
  const accept = () => command('acceptTools', { serverId, tools: [{ name, fingerprint }] });
  return (
    <>
      <DefinitionDiff review={review} />
      <div class="actions">
        <WorkButton class="s" busy={action.busy} press={() => action.run(accept)}>
          {t(($) => $.toolList.accept)}
        </WorkButton>
      </div>
      {action.error && <Problem error={action.error} />}
    </>
  );
}

/** All that is known of a tool: its whole description, its names and its schema. */
function ToolDetails({ tool, listed }: { tool: ToolSummary; listed: ListedTool | null }): JSX.Element {
  const schema = listed && pretty(JSON.stringify(listed.inputSchema) ?? '');
  const description = listed?.description ?? tool.description;
  return (
    <div class="tool-details">
      {tool.review && listed?.review && <Review listed={listed} review={listed.review} />}
      {!tool.review && listed?.review && <DefinitionDiff review={listed.review} />}
      {description !== '' && (
        <p class="plain small wrap">
          <LongText text={visible(description)} />
        </p>
      )}
      <dl class="facts small">
        <dt>{t(($) => $.toolList.name)}</dt>
        <dd>
          <code>{visible(tool.offeredName)}</code>
        </dd>
      </dl>
      <div class="halves">
        <section aria-label={t(($) => $.toolList.schema)}>
          <h3>
            {t(($) => $.toolList.schema)}
            <span class="grow" />
            {schema !== null && <CopyButton name={t(($) => $.toolLog.copy)} text={() => schema} />}
          </h3>
          {schema === null ? (
            <p class="small subtle">{t(($) => $.toolList.noSchema)}</p>
          ) : (
            <pre class="json" tabIndex={0}>
              {schema}
            </pre>
          )}
        </section>
        {listed && tool.problem === undefined && tool.present && <TryTool tool={listed} />}
      </div>
    </div>
  );
}
