import type { Tool } from '../../types/setup.ts';
import { definition as currentTime } from './current-time.ts';
import { definition as extractTable } from './extract-table.ts';
import { definition as fetchUrl } from './fetch-url.ts';
import { definition as findInPage } from './find-in-page.ts';
import { definition as getPageOutline } from './get-page-outline.ts';
import { definition as listTabs } from './list-tabs.ts';
import { definition as openTab } from './open-tab.ts';
import { definition as readPage } from './read-page.ts';
import { definition as readSelection } from './read-selection.ts';
import { definition as readTab } from './read-tab.ts';
import { definition as screenshot } from './screenshot.ts';
import { definition as switchTab } from './switch-tab.ts';
import type { Definition } from './tab-tool.ts';

const all: Record<keyof Texts.Shared['ownTools'], Definition> = {
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

/** As a server lists its tools. */
export type ListedDefinition = Pick<
  Tool,
  'name' | 'offeredName' | 'description' | 'inputSchema' | 'annotations'
>;

/**
 * The tools of lib/tools/tabs, as they are packed: the worker, whose size counts, does without. Pages know their titles
 * (lib/state/own-server.ts).
 */
export const listed: ListedDefinition[] = Object.entries(all).map(
  ([name, { description, parameters = {}, required = [], annotations }]) => ({
    name,
    offeredName: name,
    description,
    inputSchema: { type: 'object', properties: parameters, required, additionalProperties: false },
    annotations,
  }),
);
