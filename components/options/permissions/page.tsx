import type { JSX } from 'preact';
import { Grants } from './grants.tsx';
import { OwnTools } from './own-tools.tsx';
import { BlockedSites, Sites } from './sites.tsx';
import { TierDefaults } from './tier-defaults.tsx';
import './permissions.css';
import { t } from '../../../locales/texts/settings.ts';

/** The page Permissions. */
export function PermissionsPage(): JSX.Element {
  return (
    <>
      <header class="head">
        <div>
          <h1>{t(($) => $.options.permissions)}</h1>
          <p>{t(($) => $.permissions.lead)}</p>
        </div>
      </header>
      <TierDefaults />
      <OwnTools />
      <Grants />
      <BlockedSites />
      <Sites />
    </>
  );
}
