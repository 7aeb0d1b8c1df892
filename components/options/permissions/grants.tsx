import type { JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';
import type { GrantKey, ListedGrant } from '../../../lib/protocol/tools.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { download } from '../../ui/download.ts';
import { ConfirmRemove } from '../form/confirm-remove.tsx';
import { useSetup, useSetupState } from '../options-context.ts';
import { Problem } from '../form/problem.tsx';
import { TableHead } from '../form/table-head.tsx';
import { useAction } from '../form/use-action.ts';
import { useAsked } from '../form/use-asked.ts';
import { WorkButton } from '../form/work-button.tsx';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';
import { SiteRules } from './site-rules.tsx';
import { When } from './when.tsx';

const columns = ['tool', 'where', 'given', 'used', 'revoke'] as const;

/** The grants of tools, and what was decided for sites. */
export function Grants(): JSX.Element {
  const { command, goingOn } = useSetupState();
  const { answer: listed, error } = useAsked(
    () => Promise.all([command('listGrants'), command('listSiteRules')]),
    [useSetup(), goingOn.value],
  );
  const [answer, rules = []] = listed ?? [];
  const allowed =
    (answer?.length ?? 0) + rules.filter(({ holds }) => holds === 'always' || holds === 'chat').length;
  const action = useAction();
  const title = useRef<HTMLHeadingElement>(null);
  const revoke = (grants?: GrantKey[]): void =>
    action.run(async () => {
      await command('revokeGrants', grants ? { grants } : {});
      title.current?.focus(); // the button is gone
    });
  const problem = error ?? action.error;
  return (
    <>
      <section class="block" aria-label={t(($) => $.permissions.grants)}>
        <div class="toolbar">
          <h2 class="grow" tabIndex={-1} ref={title}>
            {t(($) => $.permissions.grants)}
          </h2>
          {answer && answer.length + rules.length > 0 && (
            <button
              type="button"
              class="btn quiet s"
              title={t(($) => $.permissions.exportHelp)}
              onClick={() => download('grants.json', JSON.stringify([...answer, ...rules], null, 2))}
            >
              {t(($) => $.permissions.export)}
            </button>
          )}
          {allowed > 0 && (
            <ConfirmRemove
              key={allowed}
              question={t(($) => $.permissions.revokeAllQuestion, { count: allowed })}
              verb={t(($) => $.permissions.revokeAll)}
              remove={() => revoke()}
            />
          )}
        </div>
        {problem && <Problem error={problem} />}
        {answer?.length === 0 && <p class="muted">{t(($) => $.permissions.noGrants)}</p>}
        {answer && answer.length > 0 && (
          <table class="grid framed grants" aria-label={t(($) => $.permissions.grants)}>
            <TableHead
              columns={columns}
              names={t(($) => $.permissions.columns)}
              end={['used']}
              visuallyHidden={['revoke']}
            />
            <tbody>
              {answer.map((grant) => (
                <Row
                  key={`${grant.serverId} ${grant.toolName} ${grant.conversationId ?? ''}`}
                  grant={grant}
                  busy={action.busy}
                  revoke={() => revoke(keysOf(grant))}
                />
              ))}
            </tbody>
          </table>
        )}
      </section>
      <SiteRules rules={rules} />
    </>
  );
}

const keysOf = ({ serverId, toolName, readTools = [toolName], conversationId }: ListedGrant): GrantKey[] =>
  readTools.map((name) => ({
    serverId,
    toolName: name,
    ...(conversationId !== undefined && { conversationId }),
  }));

function Row(props: { grant: ListedGrant; busy: boolean; revoke: () => void }): JSX.Element {
  const { toolName, readTools, serverName, chatTitle, given, isVoid } = props.grant;
  const id = useId();
  const where =
    chatTitle === undefined
      ? t(($) => $.permissions.always)
      : t(($) => $.permissions.inChat, { title: visible(chatTitle) });
  return (
    <tr>
      <td class="what" id={id}>
        {readTools ? t(($) => $.permissions.readTools) : <code>{visible(toolName)}</code>}
        <span class="sub">{visible(serverName)}</span>
        {readTools && <span class="sub">{units.listed(readTools.map(visible))}</span>}
      </td>
      <td class="small where">
        {where}
        {given?.origins && (
          <span class="sub">{t(($) => $.permissions.onlyFor, { sites: units.listed(given.origins) })}</span>
        )}
        {isVoid && <span class="sub">{t(($) => $.permissions.isVoid)}</span>}
      </td>
      <When given={given} />
      <td class="r revoke">
        <WorkButton class="s" busy={props.busy} describedBy={id} press={props.revoke}>
          {t(($) => $.permissions.revoke)}
        </WorkButton>
      </td>
    </tr>
  );
}
