import { browser } from 'wxt/browser';

/** Chromium's and Firefox's own ways to show the panel; each exists in one of them only. */
type PanelApi = {
  sidePanel?: {
    open(options: { windowId: number }): Promise<void>;
    setPanelBehavior(behavior: { openPanelOnActionClick: boolean }): Promise<void>;
  };
  sidebarAction?: {
    open(): Promise<void>;
    toggle(): Promise<void>;
    isOpen(of: { windowId?: number }): Promise<boolean>;
  };
};

export const panelApi = (): PanelApi => browser as unknown as PanelApi;

/**
 * Shows the panel of a window, of the current one unless told. Call it before anything is awaited: the browser allows it
 * only inside the gesture. @returns whether it is open
 */
export async function openPanel(windowId?: number): Promise<boolean> {
  const { sidePanel, sidebarAction } = panelApi();
  try {
    await (sidePanel
      ? sidePanel.open({ windowId: windowId ?? browser.windows.WINDOW_ID_CURRENT })
      : sidebarAction?.open());
    return true;
  } catch (error) {
    console.warn('The panel did not open.', error);
    return (await sidebarAction?.isOpen({ ...(windowId !== undefined && { windowId }) })) ?? false;
  }
}
