import type { JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';
import type { GrantedSite } from '../../../lib/protocol/tools.ts';
import { faultsOf } from '../../../lib/types/blocked-site.ts';
import { LONGEST_SITES } from '../../../lib/types/settings.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { useSetup, useSetupState } from '../options-context.ts';
import { Problem } from '../form/problem.tsx';
import { TableHead } from '../form/table-head.tsx';
import { TextSetting } from '../form/setting-rows.tsx';
import { useSettings } from '../form/use-changes.ts';
import { useAction } from '../form/use-action.ts';
import { useAsked } from '../form/use-asked.ts';
import { WorkButton } from '../form/work-button.tsx';
import { t } from '../../../locales/texts/settings.ts';

/** The next ones follow once these are mended. */
const FAULTS_SHOWN = 5;
/** Characters of a site. */
const LONGEST_SHOWN = 100;

const columns = ['site', 'usedBy', 'revoke'] as const;

/** On which pages models may do nothing, whatever else is allowed. */
export function BlockedSites(): JSX.Element {
  const { settings, setting, error } = useSettings();
  return (
    <section class="block" aria-label={t(($) => $.permissions.blockedSites)}>
      {error && <Problem error={error} />}
      <TextSetting
        label={t(($) => $.permissions.blockedSites)}
        help={t(($) => $.permissions.blockedSitesHelp)}
        {...setting('blockedSites')}
        initial=""
        most={LONGEST_SITES}
        faults={faultsOf(settings.blockedSites)
          .slice(0, FAULTS_SHOWN)
          .map(({ line, site, why }) =>
            t(($) => $.permissions.blockedSitesFault, {
              line,
              site: visible(site.slice(0, LONGEST_SHOWN)),
              why,
            }),
          )}
      />
    </section>
  );
}

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
    <section class="block" aria-label={t(($) => $.permissions.sites)}>
      <h2 tabIndex={-1} ref={title}>
        {t(($) => $.permissions.sites)}
      </h2>
      <p class="help">{t(($) => $.permissions.sitesHelp)}</p>
      {problem && <Problem error={problem} />}
      {answer?.length === 0 && <p class="muted">{t(($) => $.permissions.noSites)}</p>}
      {answer && answer.length > 0 && (
        <table class="grid framed sites" aria-label={t(($) => $.permissions.sites)}>
          <TableHead
            columns={columns}
            names={t(($) => $.permissions.siteColumns)}
            visuallyHidden={['revoke']}
          />
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
    ...servers.map((name) => t(($) => $.permissions.server, { name: visible(name) })),
    ...providers.map((name) => t(($) => $.permissions.provider, { name: visible(name) })),
  ];
  return (
    <tr>
      <td class="what" id={id}>
        <code>{shown(origin)}</code>
      </td>
      <td class="small muted where">{users.join(', ')}</td>
      <td class="r revoke">
        {isFixed ? (
          <span class="small subtle">{t(($) => $.permissions.fixed)}</span>
        ) : (
          <WorkButton class="s" busy={props.busy} describedBy={id} press={props.revoke}>
            {t(($) => $.permissions.revoke)}
          </WorkButton>
        )}
      </td>
    </tr>
  );
}

/** Any site that was granted can be read when the user adds its page to a chat. */
function readers(origin: string): string {
  if (origin === 'nativeMessaging') return t(($) => $.permissions.programsUse);
  return origin === 'tabs' ? t(($) => $.permissions.tabNamesUse) : t(($) => $.permissions.pagesUse);
}

/** A match pattern as a user says it: a host on all its ports. */
function shown(pattern: string): string {
  if (pattern === '<all_urls>') return t(($) => $.permissions.everyPage);
  if (pattern === 'tabs') return t(($) => $.permissions.tabNames);
  if (pattern === 'nativeMessaging') return t(($) => $.permissions.programs);
  const [scheme = '', host = ''] = pattern.split('://');
  return host === '*/*'
    ? t(($) => $.permissions.everySite, { scheme })
    : visible(pattern.replace(/\/\*$/, ''));
}
