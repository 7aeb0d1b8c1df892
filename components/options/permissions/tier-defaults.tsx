import type { JSX } from 'preact';
import type { Tier } from '../../../lib/types/tier.ts';
import { en } from '../../../locales/en-options.ts';
import { TierBadge } from '../../ui/tier-badge.tsx';
import { Segments } from '../fields.tsx';
import { useSetup, useSetupState } from '../options-context.ts';
import { Problem } from '../problem.tsx';
import { useChanges } from '../use-changes.ts';

const words = en.permissions;
const { ask, allow, block } = en.toolList.permission;
const all = { ask, allow, block };
const options: Record<Tier, Partial<typeof all>> = {
  reads: all,
  writes: all,
  sends: all,
  destructive: { ask, block },
};
const tiers = Object.keys(options) as Tier[];

/** What holds for the tools of each tier that have no permission of their own. */
export function TierDefaults(): JSX.Element {
  const { tierPermissions } = useSetup().settings;
  const { command } = useSetupState();
  const { send, error } = useChanges();
  return (
    <section class="block" aria-label={words.defaults}>
      <h2>{words.defaults}</h2>
      <p class="help">{words.defaultsHelp}</p>
      {error && <Problem error={error} />}
      <ul class="rows">
        {tiers.map((tier) => (
          <li class="set rule" key={tier}>
            <span>
              <TierBadge tier={tier} />
            </span>
            <span class="small muted">{words.does[tier]}</span>
            <Segments
              label={words.defaultFor(en.approval.tier[tier])}
              value={tierPermissions[tier]}
              options={options[tier]}
              set={(chosen) => send(() => command('saveSettings', { tierPermissions: { [tier]: chosen } }))}
              quiet
            />
          </li>
        ))}
      </ul>
      <p class="help claims">{words.claims}</p>
    </section>
  );
}
