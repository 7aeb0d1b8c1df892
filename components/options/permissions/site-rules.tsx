import type { JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import type { ListedSiteRule } from '../../../lib/protocol/tools.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { RULINGS, SITE_KINDS, type SiteKind, type SiteRuling } from '../../../lib/types/site-rule.ts';
import { useSetupState } from '../options-context.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { Problem } from '../form/problem.tsx';
import { TableHead } from '../form/table-head.tsx';
import { useAction } from '../form/use-action.ts';
import { WorkButton } from '../form/work-button.tsx';
import { t } from '../../../locales/texts/settings.ts';
import { t as shared } from '../../../locales/texts/shared.ts';
import { When } from './when.tsx';

const columns = ['site', 'holds', 'given', 'used', 'revoke'] as const;

type Decide = (
  site: string,
  kind: SiteKind,
  rule: SiteRuling | null,
  conversationId?: string,
) => Promise<void>;

/** What the user decided for kinds of actions on sites, and a form for more. */
export function SiteRules({ rules }: { rules: ListedSiteRule[] }): JSX.Element {
  const { command } = useSetupState();
  const action = useAction();
  const title = useRef<HTMLHeadingElement>(null);
  const decide: Decide = (site, kind, rule, conversationId) =>
    command('setSiteRule', { site, kind, rule, ...(conversationId !== undefined && { conversationId }) });
  return (
    <section class="block" aria-label={t(($) => $.permissions.siteRules)}>
      <h2 tabIndex={-1} ref={title}>
        {t(($) => $.permissions.siteRules)}
      </h2>
      <p class="help">{t(($) => $.permissions.siteRulesHelp)}</p>
      {action.error && <Problem error={action.error} />}
      {rules.length > 0 && (
        <table class="grid framed grants" aria-label={t(($) => $.permissions.siteRules)}>
          <TableHead columns={columns} names={columnNames()} end={['used']} visuallyHidden={['revoke']} />
          <tbody>
            {rules.map((rule) => (
              <Row
                key={`${rule.site} ${rule.kind} ${rule.conversationId ?? ''}`}
                rule={rule}
                busy={action.busy}
                set={(chosen) => action.run(() => decide(rule.site, rule.kind, chosen))}
                remove={() =>
                  action.run(async () => {
                    await decide(rule.site, rule.kind, null, rule.conversationId);
                    title.current?.focus(); // the button is gone
                  })
                }
              />
            ))}
          </tbody>
        </table>
      )}
      <NewRule decide={decide} />
    </section>
  );
}

const columnNames = (): Record<(typeof columns)[number], string> => ({
  site: t(($) => $.permissions.siteColumns.site),
  holds: t(($) => $.permissions.decision),
  given: t(($) => $.permissions.since),
  used: t(($) => $.permissions.columns.used),
  revoke: t(($) => $.options.remove),
});

const kindName = (kind: SiteKind): string => shared(($) => $.siteKinds[kind]);

/** Those that a kind has. */
function rulingsOf(kind: SiteKind): Partial<Record<SiteRuling, string>> {
  const names: Record<SiteRuling, string> = {
    ask: t(($) => $.toolList.permission.ask),
    always: t(($) => $.permissions.always),
    never: t(($) => $.permissions.never),
  };
  return Object.fromEntries(RULINGS[kind].map((ruling) => [ruling, names[ruling]]));
}

function Row(props: {
  rule: ListedSiteRule;
  busy: boolean;
  set: (rule: SiteRuling) => void;
  remove: () => void;
}): JSX.Element {
  const { site, kind, holds, chatTitle = '', given } = props.rule;
  const id = useId();
  return (
    <tr>
      <td class="what" id={id}>
        <code>{visible(site)}</code>
        <span class="sub">{kindName(kind)}</span>
      </td>
      <td class="small where">
        {holds === 'chat' ? (
          t(($) => $.permissions.inChat, { title: visible(chatTitle) })
        ) : (
          <select
            class="select"
            aria-labelledby={id}
            value={holds}
            onChange={({ currentTarget }) => props.set(currentTarget.value as SiteRuling)}
          >
            {Object.entries(rulingsOf(kind)).map(([ruling, name]) => (
              <option key={ruling} value={ruling}>
                {name}
              </option>
            ))}
          </select>
        )}
      </td>
      <When given={given} />
      <td class="r revoke">
        <WorkButton class="s" busy={props.busy} describedBy={id} press={props.remove}>
          {t(($) => $.options.remove)}
        </WorkButton>
      </td>
    </tr>
  );
}

/** What reading asks about seldom, and what no card was about yet, is decided here. */
function NewRule({ decide }: { decide: Decide }): JSX.Element {
  const [site, setSite] = useState('');
  const [kind, setKind] = useState<SiteKind>('read');
  const [ruling, setRuling] = useState<SiteRuling>('never');
  const action = useAction();
  const isAllowed = RULINGS[kind].includes(ruling);
  const add = (): void =>
    action.run(async () => {
      const typed = site.trim();
      const address = /^[a-z]+:\/\//i.test(typed) ? typed : `https://${typed}`;
      await decide(address, kind, isAllowed ? ruling : 'never');
      setSite('');
    });
  return (
    <form
      class="new-rule"
      aria-label={t(($) => $.permissions.newRule)}
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <TextField
        label={t(($) => $.permissions.siteColumns.site)}
        value={site}
        set={setSite}
        placeholder="https://example.com"
      />
      <SelectField
        label={t(($) => $.permissions.actionKind)}
        value={kind}
        set={setKind}
        options={Object.fromEntries(SITE_KINDS.map((each) => [each, kindName(each)]))}
      />
      <SelectField
        label={t(($) => $.permissions.decision)}
        value={isAllowed ? ruling : 'never'}
        set={setRuling}
        options={rulingsOf(kind)}
      />
      <WorkButton submit busy={action.busy} disabled={site.trim() === ''}>
        {t(($) => $.local.add)}
      </WorkButton>
      {action.error && <Problem error={action.error} />}
    </form>
  );
}
