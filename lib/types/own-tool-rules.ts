/** Portside's own tools by name; their titles are texts (locales/en/shared.json). */
export type OwnToolName = keyof Texts.Shared['ownTools'];

type OwnToolRules = {
  /** What it does, on the site of `site`. One Allow holds for all tools of a kind that act on the page of a tab. */
  kind: 'read' | 'click' | 'fill' | 'navigate' | 'upload';
  /** Whose site it is for: of the page that its tab shows, of the address that it is given, of every tab, or none. */
  site: 'tab' | 'argument' | 'all_tabs' | 'none';
  /** When it goes along with a request though tools are found by search: `acting`: with those that act on pages. */
  sent?: 'always' | 'acting';
  /** It tells a model what a page holds. */
  readsPage?: true;
  /** It changes, or waits for, what a tab shows without acting on a page: only after what was called before it. */
  inOrder?: true;
  /** It leads the tab that it is for away from the page that it shows. */
  leadsTab?: true;
  /** It presses nothing, whatever it points at. */
  pressesNothing?: true;
  /** It reads files that the chat has. */
  readsFiles?: true;
  /** Its calls wait for the user, whatever is allowed. */
  handsOver?: true;
  /** The user is asked about each of its calls, whatever is allowed. */
  alwaysAsks?: true;
  /** Its results are Portside’s own words: they taint nothing. */
  answersItself?: true;
};

/** What holds for each of them, beside what models are told of it (lib/tools/own). */
export const OWN_TOOL_RULES: Readonly<Record<OwnToolName, OwnToolRules>> = {
  ask_user: { kind: 'read', site: 'tab', sent: 'acting', handsOver: true },
  click: { kind: 'click', site: 'tab' },
  close_tab: { kind: 'navigate', site: 'tab' },
  current_time: { kind: 'read', site: 'none', sent: 'always', answersItself: true },
  drag: { kind: 'click', site: 'tab' },
  extract_table: { kind: 'read', site: 'tab', readsPage: true },
  fetch_url: { kind: 'read', site: 'argument' },
  fill_form: { kind: 'fill', site: 'tab' },
  find: { kind: 'read', site: 'tab', readsPage: true },
  find_in_page: { kind: 'read', site: 'tab', readsPage: true },
  go_back: { kind: 'navigate', site: 'tab' },
  go_forward: { kind: 'navigate', site: 'tab' },
  handle_dialog: { kind: 'click', site: 'tab' },
  hover: { kind: 'click', site: 'tab', pressesNothing: true },
  list_tabs: { kind: 'read', site: 'all_tabs' },
  navigate: { kind: 'navigate', site: 'argument', sent: 'acting', inOrder: true, leadsTab: true },
  open_tab: { kind: 'navigate', site: 'argument' },
  press_key: { kind: 'click', site: 'tab' },
  read_page: { kind: 'read', site: 'tab', sent: 'always', readsPage: true },
  read_selection: { kind: 'read', site: 'tab', sent: 'always', readsPage: true },
  read_tab: { kind: 'read', site: 'tab', readsPage: true },
  reload: { kind: 'navigate', site: 'tab' },
  screenshot: { kind: 'read', site: 'tab', readsPage: true },
  remember: { kind: 'read', site: 'none', sent: 'always', alwaysAsks: true, answersItself: true },
  scroll: { kind: 'click', site: 'tab', pressesNothing: true },
  select_option: { kind: 'fill', site: 'tab' },
  set_checked: { kind: 'fill', site: 'tab' },
  set_slider: { kind: 'fill', site: 'tab' },
  snapshot: { kind: 'read', site: 'tab', readsPage: true },
  switch_tab: { kind: 'read', site: 'none', inOrder: true },
  type_text: { kind: 'fill', site: 'tab' },
  upload_file: { kind: 'upload', site: 'tab', readsFiles: true },
  wait_for: { kind: 'read', site: 'tab', sent: 'acting', inOrder: true },
};

const actsOnTab = ({ kind, site }: OwnToolRules): boolean => site === 'tab' && kind !== 'read';

const rulesByName = new Map<string, OwnToolRules & { acts: boolean }>(
  Object.entries(OWN_TOOL_RULES).map(([name, rules]) => [name, { ...rules, acts: actsOnTab(rules) }]),
);

/** Stands as a server's id for those of Portside's own tools that the user may switch off and block. */
export const OWN_TOOLS = -1;

/**
 * Where a tool comes from, as rows and calls hold it: a server by its id, `OWN_TOOLS`, `PAGE_TOOLS` (tool.ts), or null for
 * `read_more` and `search_tools`, which every run needs and no user switches off.
 */
export type ToolSource = number | null;

/** Whether a tool is a server's: ids count from 1, and 0 is one that this browser does not know, in an imported chat. */
export const isServer = (source: ToolSource): source is number => source !== null && source >= 0;

/** What is called, as far as it says which tool. */
export type ToolRef = { serverId: ToolSource; toolName: string };

/** What holds for one of Portside's own tools; undefined for all others. `acts`: it does something to the page of its tab. */
export const ownRules = ({ serverId, toolName }: ToolRef) =>
  serverId === OWN_TOOLS ? rulesByName.get(toolName) : undefined;

/** The names of Portside's own tools for which that holds. */
export const ownToolsWhere = (holds: (rules: OwnToolRules & { acts: boolean }) => boolean): string[] =>
  [...rulesByName].flatMap(([name, rules]) => (holds(rules) ? [name] : []));
