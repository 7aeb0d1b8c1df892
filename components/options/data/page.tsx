import type { JSX } from 'preact';
import { useSetupState } from '../options-context.ts';
import { Problem } from '../form/problem.tsx';
import { SettingRows } from '../form/setting-rows.tsx';
import { useAsked } from '../form/use-asked.ts';
import { Erase } from './erase.tsx';
import { ExportChats, ExportSettings } from './export.tsx';
import { Import } from './import.tsx';
import { Storage } from './storage.tsx';
import './data.css';
import { PageHead } from '../page-head.tsx';
import { t } from '../../../locales/texts/settings.ts';

/** The page Data. */
export function DataPage(): JSX.Element {
  const { command, goingOn } = useSetupState();
  const { answer: used, error, again } = useAsked(() => command('storageUsed'), [goingOn.value]);
  return (
    <>
      <PageHead title={t(($) => $.options.data)} lead={t(($) => $.data.lead)} />
      {error && <Problem error={error} />}
      <SettingRows title={t(($) => $.data.storage)}>
        <Storage used={used} />
      </SettingRows>
      <SettingRows title={t(($) => $.data.move)}>
        <ExportChats count={used?.conversations ?? 0} />
        <ExportSettings />
        <Import added={again} />
      </SettingRows>
      <SettingRows title={t(($) => $.data.erase)}>
        <Erase used={used} erased={again} />
      </SettingRows>
    </>
  );
}
