import { run as currentTime } from './current-time.ts';
import { run as extractTable } from './extract-table.ts';
import { run as fetchUrl } from './fetch-url.ts';
import { run as findInPage } from './find-in-page.ts';
import { run as getPageOutline } from './get-page-outline.ts';
import { run as listTabs } from './list-tabs.ts';
import { run as openTab } from './open-tab.ts';
import { run as readPage } from './read-page.ts';
import { run as readSelection } from './read-selection.ts';
import { run as readTab } from './read-tab.ts';
import { run as screenshot } from './screenshot.ts';
import { run as switchTab } from './switch-tab.ts';
import type { CreateRun } from './tab-tool.ts';

/** The tools that read pages and tabs, and the clock, by name. */
export const runs: Record<string, CreateRun> = {
  current_time: currentTime,
  extract_table: extractTable,
  fetch_url: fetchUrl,
  find_in_page: findInPage,
  get_page_outline: getPageOutline,
  list_tabs: listTabs,
  open_tab: openTab,
  read_page: readPage,
  read_selection: readSelection,
  read_tab: readTab,
  screenshot: screenshot,
  switch_tab: switchTab,
};
