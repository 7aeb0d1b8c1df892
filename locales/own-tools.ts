/** What the tools that read pages and tabs are called on their cards and in lists. */
export const ownTools = {
  current_time: 'Look at the clock',
  extract_table: 'Read a table',
  fetch_url: 'Fetch an address',
  find_in_page: 'Find in the page',
  get_page_outline: 'Look over the page',
  list_tabs: 'List open tabs',
  open_tab: 'Open a tab',
  read_page: 'Read the page',
  read_selection: 'Read the selection',
  read_tab: 'Read a tab',
  screenshot: 'Take a screenshot',
  switch_tab: 'Switch to a tab',
};
