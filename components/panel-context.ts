import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Panel } from '../lib/state/panel.ts';
import type { PresetId } from '../lib/types/model.ts';

export const PanelContext = createContext<Panel | null>(null);

/** The panel's state. @throws when used outside `PanelApp`. */
export function usePanel(): Panel {
  const panel = useContext(PanelContext);
  if (!panel) throw new Error('usePanel needs a PanelContext above it');
  return panel;
}

/**
 * Opens a page of the settings in a tab. `noopener`, because a page that the side panel opens as its own gets no
 * extension APIs in Chromium (seen in 156).
 */
export function openSettings(
  page:
    | 'servers'
    | 'servers/add'
    | 'servers/import'
    | `servers/${number}`
    | 'models'
    | `models/add/${PresetId}`
    | 'general'
    | 'data'
    | 'prompts'
    | 'memory'
    | 'projects/add'
    | `projects/${number}`
    | 'native-host',
): void {
  window.open(`options.html#${page}`, '_blank', 'noopener');
}
