import { Upload } from 'lucide';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { Left } from '../../../lib/import/importer.ts';
import { importers } from '../../../lib/import/importers.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { useFileDrop } from '../../ui/use-file-drop.ts';
import { Problem } from '../form/problem.tsx';
import { ActionRow } from '../form/setting-rows.tsx';
import { WorkButton } from '../form/work-button.tsx';
import { FileTexts } from './file-texts.tsx';
import { type Added, type Imports, type ImportState, useImport } from './use-import.ts';
import { FilePicker } from '../form/file-picker.tsx';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';

type Imported = { new: number; updated: number; known: number };

/** "2 chats added", "0 chats added, 1 updated, 3 already here". */
export const imported = (done: Imported): string =>
  units.commas([
    t(($) => $.data.imported.new, { count: done.new }),
    ...(done.updated > 0 ? [t(($) => $.data.imported.updated, { count: done.updated })] : []),
    ...(done.known > 0 ? [t(($) => $.data.imported.known, { count: done.known })] : []),
  ]);

/** "3 images", "1 image, 2 files": what of the chats did not come along. */
const leftParts = (left: Required<Left>): string =>
  units.commas(
    KINDS.filter((kind) => left[kind] > 0).map((kind) => t(($) => $.data.left[kind], { count: left[kind] })),
  );

/** Those whose chats can be imported. */
const programs = (): string => units.commas(importers.flatMap(({ name }) => name ?? []));

const KINDS = ['image', 'file', 'audio', 'other'] as const satisfies (keyof Left)[];

/** Of those that were left out. */
const MOST_SHOWN = 5;

/** A file of chats or of settings. `added`: there is more than there was. */
export function Import({ added }: { added: () => void }): JSX.Element {
  const imports = useImport(added);
  const { busy, take, dismiss } = imports;
  const picker = useRef<HTMLInputElement>(null);
  const opener = useRef<HTMLSpanElement>(null);
  const close = (): void => {
    dismiss();
    opener.current?.querySelector('button')?.focus();
  };
  const isOver = useFileDrop(([file]) => file && take(file));
  return (
    <ActionRow
      label={t(($) => $.data.importLabel)}
      help={isOver ? t(($) => $.data.drop) : t(($) => $.data.importHelp, { programs: programs() })}
      buttons={
        <span ref={opener}>
          <WorkButton busy={busy} press={() => !busy && picker.current?.click()}>
            <Icon of={Upload} />
            {t(($) => $.data.import)}
          </WorkButton>
        </span>
      }
    >
      <FilePicker accept=".json,.zip,application/json,application/zip" picker={picker} take={take} />
      <ImportProgress of={imports} close={close} />
    </ActionRow>
  );
}

/** How far it is, what came of it, and texts that are to be seen before they are added. */
export function ImportProgress(props: { of: Imports; close: () => void }): JSX.Element {
  const { state, error, busy, cancel, confirm } = props.of;
  return (
    <>
      {state?.type === 'going' && (
        <progress class="bar-track" aria-label={t(($) => $.data.progress)} max={1} value={state.share} />
      )}
      <p class="small muted progress">
        <span role="status">{state && said(state)}</span>
        {busy && state?.type === 'going' && (
          <button type="button" class="btn quiet s" onClick={cancel}>
            {t(($) => $.options.cancel)}
          </button>
        )}
      </p>
      {state?.type === 'to_show' && (
        <FileTexts texts={state.texts} busy={busy} confirm={confirm} dismiss={props.close} />
      )}
      {(state?.type === 'chats' || state?.type === 'stopped') && <LeftOut {...state} />}
      {error && <Problem error={error} />}
    </>
  );
}

function said(state: ImportState): string {
  switch (state.type) {
    case 'to_show':
      return '';
    case 'going':
      return t(($) => $.data.importing, { done: state.at, percent: Math.floor(state.share * 100) });
    case 'stopped':
      return t(($) => $.data.stopped, { done: imported(state.done) });
    case 'settings':
      return [
        t(($) => $.data.addedSettings, state.added),
        ...(state.shown ? [t(($) => $.data.texts.added)] : []),
      ].join(' ');
    case 'chats':
      return t(($) => $.data.added, { done: imported(state.done), left: state.failures.length + state.more });
  }
}

function LeftOut({ failures, left, more, projects }: Omit<Added, 'done'>): JSX.Element | null {
  const parts = leftParts(left);
  if (failures.length === 0 && parts === '' && projects.length === 0) return null;
  return (
    <ul class="small muted left-out">
      {projects.map(({ id, name }) => (
        <li key={id}>
          {t(($) => $.projects.imported, { name: visible(name) })}{' '}
          <a href={`#projects/${id}`}>{t(($) => $.projects.look)}</a>
        </li>
      ))}
      {failures.slice(0, MOST_SHOWN).map(({ title, why }, place) => (
        <li key={place}>{t(($) => $.data.leftOut, { title: visible(title), why: visible(why) })}</li>
      ))}
      {failures.length + more > MOST_SHOWN && (
        <li>{t(($) => $.data.moreLeftOut, { number: failures.length + more - MOST_SHOWN })}</li>
      )}
      {parts !== '' && <li>{t(($) => $.data.leftParts, { parts })}</li>}
    </ul>
  );
}
