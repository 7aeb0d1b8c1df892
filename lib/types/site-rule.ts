import { ownRules, ownToolsWhere } from './tools/own-tool-rules.ts';
import type { ToolCall } from './tools/tool-call.ts';
import { OWN_TOOLS, type ToolRef } from './tools/tool-source.ts';

/** What is decided of a site, each for itself. */
export const SITE_KINDS = ['read', 'click', 'fill', 'submit', 'navigate', 'upload'] as const;
export type SiteKind = (typeof SITE_KINDS)[number];

/** What the user decided for a kind on a site, in all chats. */
export type SiteRuling = 'ask' | 'always' | 'never';

/**
 * What they may decide. What is read is allowed for a tool and every site; and a form asks each time once its chat has read
 * what others wrote, whatever was allowed.
 */
export const RULINGS: Record<SiteKind, readonly SiteRuling[]> = {
  read: ['ask', 'never'],
  click: ['ask', 'always', 'never'],
  fill: ['ask', 'always', 'never'],
  submit: ['ask', 'never'],
  navigate: ['ask', 'always', 'never'],
  upload: ['ask', 'always', 'never'],
};

/** With how many calls it was about since. */
export type SiteUse = {
  /** ISO 8601, as `usedAt`. */
  at: string;
  used: number;
  usedAt?: string;
};

/** A decision that is kept as such; an Always is an Allow of the kind's tools, for the site's origin. */
export type SiteRule = SiteUse & {
  /** An origin. It holds for all of its host and port. */
  site: string;
  kind: SiteKind;
  rule: Exclude<SiteRuling, 'always'>;
  /** The call that it was last counted for, or that was refused with it. */
  lastCall?: string;
};

/** Whether the sites of a call are those of the addresses that it is given. */
export const isAddressed = (call: ToolRef): boolean => ownRules(call)?.site === 'argument';

/** The kinds of what a call of one of Portside's own tools does; any other tool's is for its server or page, and of none that is known. */
export function siteKindsOf(call: Kinded): SiteKind[] {
  const { kind = 'read', site } = ownRules(call) ?? {};
  if (call.serverId !== OWN_TOOLS || site === 'none' || site === 'all_tabs') return [];
  return [
    kind,
    ...(isFilling(call) ? (['fill'] as const) : []),
    ...(call.submits ? (['submit'] as const) : []),
  ];
}

/** A call, as far as its kinds follow from it. */
export type Kinded = Pick<ToolCall, 'serverId' | 'toolName'> & {
  [K in 'arguments' | 'edited' | 'targets' | 'submits']?: ToolCall[K] | undefined;
};

/** Keys by their names that write nothing anywhere. */
const WRITES_NOTHING = /(?:^|\+)(?!(?:Backspace|Delete|Space)$)[A-Za-z]\w+$/;
/** Keys that leave also what is chosen or stepped through as it is. */
const KEEPS = /(?:^|\+)(?:Tab|Escape)$/;
/** What is chosen or set by a press or a drag, as cards show it. */
const CHOICE =
  /^(?:checkbox|radio|radiogroup|switch|option|listbox|combobox|menuitemcheckbox|menuitemradio|slider|spinbutton)\b/;
const TYPED = /^(?:textbox|searchbox)\b/;

/**
 * A key that edits, or that goes to what a form holds, and a press or a drag on what is chosen, change that, too. Where a
 * key goes is not known of a page that does not answer.
 */
function isFilling({ toolName, arguments: made = '', edited = made, targets = {} }: Kinded): boolean {
  const elements = Object.values(targets);
  const isChoice = elements.some((what) => CHOICE.test(what));
  if (toolName !== 'press_key') return /^(?:click|drag)$/.test(toolName) && isChoice;
  const key = keyOf(edited);
  if (KEEPS.test(key)) return false;
  return (
    !WRITES_NOTHING.test(key) ||
    isChoice ||
    elements.length === 0 ||
    elements.some((what) => TYPED.test(what))
  );
}

function keyOf(text: string): string {
  try {
    return String((JSON.parse(text) as { key?: unknown }).key);
  } catch {
    return ''; // arguments that are none; such a call is not made
  }
}

/** The kind for which a site may be allowed to a tool. */
export function allowedBySite(serverId: number, toolName: string): SiteKind | undefined {
  const rules = ownRules({ serverId, toolName });
  return rules && mayBeAlways(rules) ? rules.kind : undefined;
}

const mayBeAlways = ({ acts, kind, site }: NonNullable<ReturnType<typeof ownRules>>): boolean =>
  (acts || site === 'argument') && RULINGS[kind].includes('always');

/** The tools of a kind that may be allowed for a site. */
export const toolsOfKind = (kind: SiteKind): string[] =>
  ownToolsWhere((rules) => mayBeAlways(rules) && rules.kind === kind);

/** What a tool of a page does there only the page knows; what it answers is the page's text. */
export const BY_PAGE: readonly SiteKind[] = ['read', 'click', 'fill', 'submit'];

/** Whether two origins are of one host and port: what is decided of `https:` holds for `http:`, too. */
export const isSameSite = (one: string, other: string): boolean => {
  const host = hostOf(one);
  return host === hostOf(other) && (host !== '' || one === other);
};

/** A name that ends with a dot is the same one. */
const hostOf = (origin: string): string => {
  const { hostname = '', port = '' } = URL.parse(origin) ?? {};
  return hostname && `${hostname.replace(/\.$/, '')}:${port}`;
};
