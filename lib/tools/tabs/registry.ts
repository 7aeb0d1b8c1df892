import type { Tool } from '../../types/setup.ts';
import { click } from './click.ts';
import { currentTime } from './current-time.ts';
import { extractTable } from './extract-table.ts';
import { fetchUrl } from './fetch-url.ts';
import { fillForm } from './fill-form.ts';
import { findInPage } from './find-in-page.ts';
import { hover } from './hover.ts';
import { listTabs } from './list-tabs.ts';
import { openTab } from './open-tab.ts';
import { pressKey } from './press-key.ts';
import { readPage } from './read-page.ts';
import { readSelection } from './read-selection.ts';
import { readTab } from './read-tab.ts';
import { screenshot } from './screenshot.ts';
import { scroll } from './scroll.ts';
import { selectOption } from './select-option.ts';
import { snapshot } from './snapshot.ts';
import { switchTab } from './switch-tab.ts';
import { typeText } from './type-text.ts';
import type { TabTool } from './tab-tool.ts';

/** Portside's tools for pages and tabs, and the clock, by name. Their titles are texts (locales/en/shared.json). */
export const tabTools: Record<keyof Texts.Shared['ownTools'], TabTool> = {
  click,
  current_time: currentTime,
  extract_table: extractTable,
  fetch_url: fetchUrl,
  fill_form: fillForm,
  find_in_page: findInPage,
  hover,
  list_tabs: listTabs,
  open_tab: openTab,
  press_key: pressKey,
  read_page: readPage,
  read_selection: readSelection,
  read_tab: readTab,
  screenshot,
  scroll,
  select_option: selectOption,
  snapshot,
  switch_tab: switchTab,
  type_text: typeText,
};

/** As a server lists its tools. */
export const tabToolList: Pick<
  Tool,
  'name' | 'offeredName' | 'description' | 'inputSchema' | 'annotations'
>[] = Object.entries(tabTools).map(
  ([name, { description, parameters = {}, required = [], annotations }]) => ({
    name,
    offeredName: name,
    description,
    inputSchema: { type: 'object', properties: parameters, required, additionalProperties: false },
    annotations,
  }),
);
