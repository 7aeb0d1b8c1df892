import { isSameSite, SITE_KINDS, type SiteKind, type SiteRule } from '../../types/site-rule.ts';
import type { Database } from '../schema.ts';

/** Beside the settings, which pages are told whole and exports have: this stays here, as grants do. */
const KEY = 'siteRules';

/** What the user decided of sites, but for what they allowed there. */
export const loadSiteRules = async (db: Database): Promise<SiteRule[]> =>
  rulesIn(await db.get('settings', KEY));

const rulesIn = (value: unknown): SiteRule[] => (Array.isArray(value) ? value.filter(isRule) : []);

function isRule(value: unknown): value is SiteRule {
  const { site, kind, rule } = Object(value) as Partial<SiteRule>;
  return (
    typeof site === 'string' &&
    SITE_KINDS.some((each) => each === kind) &&
    (rule === 'ask' || rule === 'never')
  );
}

async function change(db: Database, to: (rules: SiteRule[]) => SiteRule[]): Promise<void> {
  const tx = db.transaction('settings', 'readwrite');
  await tx.store.put(to(rulesIn(await tx.store.get(KEY))), KEY);
  await tx.done;
}

const isFor =
  ({ site, kind }: Pick<SiteRule, 'site' | 'kind'>) =>
  (rule: SiteRule): boolean =>
    rule.kind === kind && isSameSite(rule.site, site);

/** Writes a decision down, in the place of what was decided of the same before; of `callId`, which it refuses, it is not counted. */
export const putSiteRule = (
  db: Database,
  { callId, ...rule }: Pick<SiteRule, 'site' | 'kind' | 'rule'> & { callId?: string | undefined },
): Promise<void> =>
  change(db, (rules) => [
    ...rules.filter((each) => !isFor(rule)(each)),
    { ...rule, at: new Date().toISOString(), used: 0, ...(callId !== undefined && { lastCall: callId }) },
  ]);

/** Deletes what was decided of a kind on a site. @param only whether just an Ask is meant */
export const deleteSiteRule = (
  db: Database,
  of: { site: string; kind: SiteKind },
  only?: 'ask',
): Promise<void> =>
  change(db, (rules) => rules.filter((each) => !isFor(of)(each) || (only ?? each.rule) !== each.rule));

/** Adds one to how often these were about a call, once for each call. */
export const countSiteRules = (db: Database, counted: SiteRule[], callId: string): Promise<void> =>
  change(db, (rules) =>
    rules.map((rule) =>
      rule.lastCall !== callId && counted.some((each) => isFor(each)(rule))
        ? { ...rule, used: rule.used + 1, usedAt: new Date().toISOString(), lastCall: callId }
        : rule,
    ),
  );
