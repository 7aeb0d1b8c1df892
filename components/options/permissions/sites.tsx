import type { JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';
import type { GrantedSite } from '../../../lib/protocol/tools.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { en } from '../../../locales/en-options.ts';
import { useSetup, useSetupState } from '../options-context.ts';
import { Problem } from '../problem.tsx';
import { TableHead } from '../table-head.tsx';
import { useAction } from '../use-action.ts';
import { useAsked } from '../use-asked.ts';
import { WorkButton } from '../work-button.tsx';

const words = en.permissions;
const columns = ['site', 'usedBy', 'revoke'] as const;

/** The hosts that the browser lets Portside reach. */
export function Sites(): JSX.Element {
  const { command } = useSetupState();
  const { answer, error } = useAsked(() => command('listSites'), [useSetup()]);
  const action = useAction();
  const title = useRef<HTMLHeadingElement>(null);
  const problem = error ?? action.error;
  const revoke = (origin: string): void =>
    action.run(async () => {
      await command('revokeSite', { origin });
      title.current?.focus(); // the button is gone
    });
  return (
    <section class="block" aria-label={words.sites}>
      <h2 tabIndex={-1} ref={title}>
        {words.sites}
      </h2>
      <p class="help">{words.sitesHelp}</p>
      {problem && <Problem error={problem} />}
      {answer?.length === 0 && <p class="muted">{words.noSites}</p>}
      {answer && answer.length > 0 && (
        <table class="grid framed sites" aria-label={words.sites}>
          <TableHead columns={columns} names={words.siteColumns} heard="revoke" />
          <tbody>
            {answer.map((site) => (
              <Row key={site.origin} site={site} busy={action.busy} revoke={() => revoke(site.origin)} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Row(props: { site: GrantedSite; busy: boolean; revoke: () => void }): JSX.Element {
  const { origin, servers, providers, isFixed } = props.site;
  const id = useId();
  const users = [
    ...(servers.length + providers.length === 0 || origin === '<all_urls>' ? [readers(origin)] : []),
    ...servers.map((name) => words.server(visible(name))),
    ...providers.map((name) => words.provider(visible(name))),
  ];
  return (
    <tr>
      <td class="what" id={id}>
        <code>{shown(origin)}</code>
      </td>
      <td class="small muted where">{users.join(', ')}</td>
      <td class="r revoke">
        {isFixed ? (
          <span class="small subtle">{words.fixed}</span>
        ) : (
          <WorkButton class="s" busy={props.busy} describedBy={id} press={props.revoke}>
            {words.revoke}
          </WorkButton>
        )}
      </td>
    </tr>
  );
}

/** Any site that was granted can be read when the person adds its page to a chat. */
function readers(origin: string): string {
  if (origin === 'nativeMessaging') return words.programsUse;
  return origin === 'tabs' ? words.tabNamesUse : words.pagesUse;
}

/** A match pattern as a person says it: a host on all its ports. */
function shown(pattern: string): string {
  if (pattern === '<all_urls>') return words.everyPage;
  if (pattern === 'tabs') return words.tabNames;
  if (pattern === 'nativeMessaging') return words.programs;
  const [scheme = '', host = ''] = pattern.split('://');
  return host === '*/*' ? words.everySite(scheme) : visible(pattern.replace(/\/\*$/, ''));
}
