import { Building2 } from 'lucide';
import type { ComponentChildren, JSX } from 'preact';
import { visible } from '../../../lib/state/shown-text.ts';
import type { Limits } from '../../../lib/types/fleet.ts';
import type { Settings } from '../../../lib/types/settings.ts';
import { Icon } from '../../ui/icon.tsx';
import { useSetup } from '../options-context.ts';
import { Problem } from './problem.tsx';
import { t as inErrors } from '../../../locales/texts/errors.ts';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';

/** Beside what an organisation set up or decided. */
export const SetByOrganisation = (): JSX.Element => (
  <span class="badge">
    <Icon of={Building2} />
    {t(($) => $.fleet.set)}
  </span>
);

/** A setting, which can't be changed where the organisation set it. */
export function Lockable(props: { name: keyof Settings; children: ComponentChildren }): JSX.Element {
  const isLocked = useSetup().fleet?.locked.includes(props.name) ?? false;
  if (!isLocked) return <>{props.children}</>;
  return (
    <fieldset class="locked" disabled>
      {props.children}
      <p class="by">
        <SetByOrganisation />
      </p>
    </fieldset>
  );
}

/** A mistake in the organisation's policy. */
export function FleetFault(): JSX.Element | null {
  const why = useSetup().fleet?.fault;
  if (why === undefined) return null;
  const message = inErrors(($) => $.errors.fleet.fault, { why });
  const fix = inErrors(($) => $.errors.fleet.fix);
  return <Problem error={{ code: 'set_by_organisation', message, fix, retryable: false }} />;
}

const KINDS = ['tools', 'sites', 'importers'] as const;

/** What the organisation allows and what not. */
export function FleetRules(): JSX.Element | null {
  const { fleet } = useSetup();
  if (!fleet) return null;
  const lines = [
    !fleet.ownProviders && t(($) => $.fleet.providers),
    !fleet.ownServers && t(($) => $.fleet.servers),
    !fleet.sync && t(($) => $.fleet.sync),
    ...KINDS.flatMap((what) => limitLines(what, fleet[what])),
  ].filter((line) => line !== false);
  if (lines.length === 0) return null;
  return (
    <section class="block" aria-label={t(($) => $.fleet.title)}>
      <h2>{t(($) => $.fleet.title)}</h2>
      <ul class="rows">
        {lines.map((line) => (
          <li class="set wrap" key={line}>
            {line}
          </li>
        ))}
      </ul>
    </section>
  );
}

function limitLines(what: (typeof KINDS)[number], { allowed, forbidden = [] }: Limits): string[] {
  const names = (list: string[]): string =>
    list.length === 0 ? t(($) => $.fleet.none) : units.commas(list.map(visible));
  return [
    ...(allowed ? [t(($) => $.fleet.allowed, { what, names: names(allowed) })] : []),
    ...(forbidden.length > 0 ? [t(($) => $.fleet.forbidden, { what, names: names(forbidden) })] : []),
  ];
}
