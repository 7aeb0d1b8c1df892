import { OWN_TOOLS, PAGE_TOOLS, type ToolRef, type ToolSource } from './tool-source.ts';

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

/** What holds for one of Portside's own tools; undefined for all others. `acts`: it does something to the page of its tab. */
export const ownRules = ({ serverId, toolName }: ToolRef) =>
  serverId === OWN_TOOLS ? rulesByName.get(toolName) : undefined;

/** The names of Portside's own tools for which that holds. */
export const ownToolsWhere = (holds: (rules: OwnToolRules & { acts: boolean }) => boolean): string[] =>
  [...rulesByName].flatMap(([name, rules]) => (holds(rules) ? [name] : []));

/** Whether a tool does something in a page, one of Portside's own or the page's: what allows it holds for the site that its tab shows. */
export const actsOnPage = (serverId: ToolSource, toolName: string): boolean =>
  serverId === PAGE_TOOLS || ownRules({ serverId, toolName })?.acts === true;

/** Whether a tool acts by a script in the page, which runs only where the browser tells the tab's site. */
export function isByScript(serverId: ToolSource, toolName: string): boolean {
  const rules = ownRules({ serverId, toolName });
  return rules?.acts === true && rules.kind !== 'navigate' && toolName !== 'handle_dialog';
}

/** Whether a tool's call is made only after those before it in its message that act in order, and only if they succeeded. */
export const isInOrder = (serverId: ToolSource, toolName: string): boolean =>
  actsOnPage(serverId, toolName) || ownRules({ serverId, toolName })?.inOrder === true;

/** The tools that an Allow for longer than once holds for: those of the same kind, where a tool acts on pages; else itself. */
export function allowedTogether(serverId: ToolSource, toolName: string): string[] {
  const rules = ownRules({ serverId, toolName });
  return rules?.acts ? ownToolsWhere(({ acts, kind }) => acts && kind === rules.kind) : [toolName];
}

/** Goes along with all other tools and can't be switched off. */
export const READ_MORE = 'read_more';
/** Tokens of it. */
export const READ_MORE_TOKENS = 112;
