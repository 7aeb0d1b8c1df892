import type { JSX } from 'preact';
import type { Permission } from '../../../lib/types/tool.ts';
import type { Tier } from '../../../lib/types/tier.ts';
import { TierBadge } from '../../ui/tier-badge.tsx';
import { Segments } from '../form/fields.tsx';
import { useSetup, useSetupState } from '../options-context.ts';
import { Problem } from '../form/problem.tsx';
import { useChanges } from '../form/use-changes.ts';
import { t } from '../../../locales/texts/settings.ts';

const tiers: Tier[] = ['reads', 'writes', 'sends', 'destructive'];

function optionsOf(tier: Tier): Partial<Record<Permission, string>> {
  const { ask, allow, block } = t(($) => $.toolList.permission);
  return tier === 'destructive' ? { ask, block } : { ask, allow, block };
}

/** What holds for the tools of each tier that have no permission of their own. */
export function TierDefaults(): JSX.Element {
  const { tierPermissions } = useSetup().settings;
  const { command } = useSetupState();
  const { send, error } = useChanges();
  return (
    <section class="block" aria-label={t(($) => $.permissions.defaults)}>
      <h2>{t(($) => $.permissions.defaults)}</h2>
      <p class="help">{t(($) => $.permissions.defaultsHelp)}</p>
      {error && <Problem error={error} />}
      <ul class="rows">
        {tiers.map((tier) => (
          <li class="set rule" key={tier}>
            <span>
              <TierBadge tier={tier} />
            </span>
            <span class="small muted">{t(($) => $.permissions.does[tier])}</span>
            <Segments
              label={t(($) => $.permissions.defaultFor, { tier: t(($) => $.approval.tier[tier]) })}
              value={tierPermissions[tier]}
              options={optionsOf(tier)}
              set={(chosen) => send(() => command('saveSettings', { tierPermissions: { [tier]: chosen } }))}
              quiet
            />
          </li>
        ))}
      </ul>
      <p class="help claims">{t(($) => $.permissions.claims)}</p>
    </section>
  );
}
