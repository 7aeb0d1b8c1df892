import type { JSX } from 'preact';
import { Grants } from './grants.tsx';
import { OwnTools } from './own-tools.tsx';
import { BlockedSites, Sites } from './sites.tsx';
import { TierDefaults } from './tier-defaults.tsx';
import './permissions.css';
import { PageHead } from '../page-head.tsx';
import { t } from '../../../locales/texts/settings.ts';

/** The page Permissions. */
export function PermissionsPage(): JSX.Element {
  return (
    <>
      <PageHead title={t(($) => $.options.permissions)} lead={t(($) => $.permissions.lead)} />
      <TierDefaults />
      <OwnTools />
      <Grants />
      <BlockedSites />
      <Sites />
    </>
  );
}
