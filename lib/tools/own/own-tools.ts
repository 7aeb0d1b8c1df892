import type { Tool } from '../../types/setup.ts';
import { askUser } from './ask-user.ts';
import { click } from './click.ts';
import { closeTab } from './close-tab.ts';
import { currentTime } from './current-time.ts';
import { drag } from './drag.ts';
import { extractTable } from './extract-table.ts';
import { fetchUrl } from './fetch-url.ts';
import { fillForm } from './fill-form.ts';
import { find } from './find.ts';
import { findInPage } from './find-in-page.ts';
import { goBack } from './go-back.ts';
import { goForward } from './go-forward.ts';
import { handleDialog } from './handle-dialog.ts';
import { hover } from './hover.ts';
import { listTabs } from './list-tabs.ts';
import { navigate } from './navigate.ts';
import { openTab } from './open-tab.ts';
import { pressKey } from './press-key.ts';
import { readPage } from './read-page.ts';
import { readSelection } from './read-selection.ts';
import { readTab } from './read-tab.ts';
import { reload } from './reload.ts';
import { screenshot } from './screenshot.ts';
import { scroll } from './scroll.ts';
import { selectOption } from './select-option.ts';
import { setChecked } from './set-checked.ts';
import { setSlider } from './set-slider.ts';
import { snapshot } from './snapshot.ts';
import { switchTab } from './switch-tab.ts';
import { typeText } from './type-text.ts';
import { uploadFile } from './upload-file.ts';
import { waitFor } from './wait-for.ts';
import type { TabTool } from './tab-tool.ts';

/** Portside's tools for pages and tabs, and the clock, by name. Their titles are texts (locales/en/shared.json). */
export const ownTools: Record<keyof Texts.Shared['ownTools'], TabTool> = {
  ask_user: askUser,
  click,
  close_tab: closeTab,
  current_time: currentTime,
  drag,
  extract_table: extractTable,
  fetch_url: fetchUrl,
  fill_form: fillForm,
  find,
  find_in_page: findInPage,
  go_back: goBack,
  go_forward: goForward,
  handle_dialog: handleDialog,
  hover,
  list_tabs: listTabs,
  navigate,
  open_tab: openTab,
  press_key: pressKey,
  read_page: readPage,
  read_selection: readSelection,
  read_tab: readTab,
  reload,
  screenshot,
  scroll,
  select_option: selectOption,
  set_checked: setChecked,
  set_slider: setSlider,
  snapshot,
  switch_tab: switchTab,
  type_text: typeText,
  upload_file: uploadFile,
  wait_for: waitFor,
};

/** As a server lists its tools. */
export const ownToolList: Pick<
  Tool,
  'name' | 'offeredName' | 'description' | 'inputSchema' | 'annotations'
>[] = Object.entries(ownTools).map(
  ([name, { description, parameters = {}, required = [], annotations }]) => ({
    name,
    offeredName: name,
    description,
    inputSchema: {
      type: 'object',
      properties: parameters,
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
    annotations,
  }),
);
