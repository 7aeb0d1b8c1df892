import type { JSX } from 'preact';
import { Grants } from './grants.tsx';
import { BlockedSites, Sites } from './sites.tsx';
import { PageHead } from '../page-head.tsx';
import { ownServer, ownStatus } from '../../../lib/state/settings/own-server.ts';
import type { Permission } from '../../../lib/types/tools/approval.ts';
import { type Tier, TIERS } from '../../../lib/types/tools/tier.ts';
import { OWN_TOOLS } from '../../../lib/types/tools/tool-source.ts';
import { useToolsOf } from '../server/page.tsx';
import { ServerTools } from '../server/tools.tsx';
import { TierBadge } from '../../ui/tier-badge.tsx';
import { Segments } from '../../ui/fields.tsx';
import { FleetRules, Lockable } from '../form/managed.tsx';
import { Problem } from '../form/problem.tsx';
import { useSettings } from '../form/use-changes.ts';
import './permissions.css';
import { t } from '../../../locales/texts/settings.ts';

export function PermissionsPage(): JSX.Element {
  return (
    <>
      <PageHead title={t(($) => $.options.permissions)} lead={t(($) => $.permissions.lead)} />
      <FleetRules />
      <TierDefaults />
      <OwnTools />
      <Grants />
      <BlockedSites />
      <Sites />
    </>
  );
}

/** Which of Portside's own tools models may see, and which they may call without asking. */
function OwnTools(): JSX.Element {
  return (
    <section class="block" aria-label={t(($) => $.permissions.own)}>
      <h2>{t(($) => $.permissions.own)}</h2>
      <p class="help">{t(($) => $.permissions.ownHelp)}</p>
      <ServerTools server={ownServer} status={ownStatus} tools={useToolsOf(OWN_TOOLS)} />
    </section>
  );
}

function optionsOf(tier: Tier): Partial<Record<Permission, string>> {
  const { ask, allow, block } = t(($) => $.toolList.permission);
  return tier === 'destructive' ? { ask, block } : { ask, allow, block };
}

/** What holds for the tools of each tier that have no permission of their own. */
function TierDefaults(): JSX.Element {
  const { settings, save, error } = useSettings();
  return (
    <section class="block" aria-label={t(($) => $.permissions.defaults)}>
      <h2>{t(($) => $.permissions.defaults)}</h2>
      <p class="help">{t(($) => $.permissions.defaultsHelp)}</p>
      {error && <Problem error={error} />}
      <Lockable name="tierPermissions">
        <ul class="rows">
          {TIERS.map((tier) => (
            <li class="set rule" key={tier}>
              <span>
                <TierBadge tier={tier} />
              </span>
              <span class="small muted">{t(($) => $.permissions.does[tier])}</span>
              <Segments
                label={t(($) => $.permissions.defaultFor, { tier: t(($) => $.approval.tier[tier]) })}
                value={settings.tierPermissions[tier]}
                options={optionsOf(tier)}
                set={(chosen) => save({ tierPermissions: { [tier]: chosen } })}
                quiet
              />
            </li>
          ))}
        </ul>
      </Lockable>
      <p class="help claims">{t(($) => $.permissions.claims)}</p>
    </section>
  );
}
