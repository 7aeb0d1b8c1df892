import { ArrowUpRight, Eye, Pencil, Trash2, type IconNode } from 'lucide';
import type { JSX } from 'preact';
import type { Tier } from '../../lib/types/tools/tier.ts';
import { Icon } from './icon.tsx';
import { t } from '../../locales/texts/panel.ts';

const tiers: Record<Tier, { icon: IconNode; tone: string }> = {
  reads: { icon: Eye, tone: '' },
  writes: { icon: Pencil, tone: '' },
  sends: { icon: ArrowUpRight, tone: ' warn' },
  destructive: { icon: Trash2, tone: ' danger' },
};

/** What a tool may do, as its server says. */
export function TierBadge({ tier }: { tier: Tier }): JSX.Element {
  return (
    <span class={`badge${tiers[tier].tone}`}>
      <Icon of={tiers[tier].icon} />
      <span class="word">{t(($) => $.approval.tier[tier])}</span>
    </span>
  );
}
