import { Paperclip } from 'lucide';
import type { JSX } from 'preact';
import { usePanel } from '../../panel-context.ts';
import { Icon } from '../../ui/icon.tsx';
import { useFileDrop } from '../../ui/use-file-drop.ts';
import './drop-zone.css';
import { t } from '../../../locales/texts/panel.ts';

/** The whole panel takes what is dropped on it; this says so while something is held over it. */
export function DropZone(): JSX.Element | null {
  const { attaching } = usePanel();
  const isOver = useFileDrop((files) => void attaching.attachFiles(files));
  if (!isOver) return null;
  return (
    <div class="drop-zone" role="status">
      <Icon of={Paperclip} />
      <strong>{t(($) => $.compose.drop)}</strong>
      <span class="small">{t(($) => $.compose.dropSub)}</span>
    </div>
  );
}
