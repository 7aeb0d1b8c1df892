import type { JSX } from 'preact';
import { useSetup, useSetupState } from '../options-context.ts';
import { Problem } from '../form/problem.tsx';
import { SettingRows } from '../form/setting-rows.tsx';
import { useAsked } from '../form/use-asked.ts';
import { Erase } from './erase.tsx';
import { ExportChats, ExportSettings } from './export.tsx';
import { Import } from './import.tsx';
import { SyncSection } from './sync.tsx';
import { PageHead } from '../page-head.tsx';
import type { StorageUsed } from '../../../lib/protocol/data.ts';
import './data.css';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';

export function DataPage(): JSX.Element {
  const { command, goingOn } = useSetupState();
  const setup = useSetup();
  const {
    answer: used,
    error,
    again,
  } = useAsked(() => command('storageUsed'), [goingOn.value, setup.sync?.lastAt]);
  return (
    <>
      <PageHead title={t(($) => $.options.data)} lead={!setup.sync && t(($) => $.data.lead)} />
      {error && <Problem error={error} />}
      <SettingRows title={t(($) => $.data.storage)}>
        <Storage used={used} />
      </SettingRows>
      <SettingRows title={t(($) => $.data.move)}>
        <ExportChats count={used?.conversations ?? 0} />
        <ExportSettings />
        <Import added={again} />
      </SettingRows>
      <SyncSection />
      <SettingRows title={t(($) => $.data.erase)}>
        <Erase used={used} erased={again} />
      </SettingRows>
    </>
  );
}

const shares = ['chats', 'results', 'attachments'] as const;

/** How much is kept, and of what. */
function Storage({ used }: { used: StorageUsed | null }): JSX.Element {
  if (!used) return <p class="storage muted">{t(($) => $.data.measuring)}</p>;
  return (
    <div class="storage">
      <p>
        <strong class="num">{t(($) => $.data.used, { size: units.bytes(used.total) })}</strong>{' '}
        <span class="subtle">{t(($) => $.data.quota, { size: units.bytes(used.quota) })}</span>
      </p>
      <ul class="key">
        {shares.map((share) => (
          <li key={share}>
            {t(($) => $.data.shares[share])} {units.bytes(used[share])}
          </li>
        ))}
      </ul>
    </div>
  );
}
