import type { JSX } from 'preact';
import { en } from '../../../locales/en-options.ts';
import { Grants } from './grants.tsx';
import { OwnTools } from './own-tools.tsx';
import { Sites } from './sites.tsx';
import { TierDefaults } from './tier-defaults.tsx';
import './permissions.css';

/** The page Permissions. */
export function PermissionsPage(): JSX.Element {
  return (
    <>
      <header class="head">
        <div>
          <h1>{en.options.permissions}</h1>
          <p>{en.permissions.lead}</p>
        </div>
      </header>
      <TierDefaults />
      <OwnTools />
      <Grants />
      <Sites />
    </>
  );
}
