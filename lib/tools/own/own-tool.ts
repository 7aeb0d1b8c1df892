import { AppError } from '../../errors.ts';
import type { ActionName } from '../page/actions/act.ts';
import type { DialogAnswer } from '../page/actions/page-override.ts';
import { type PageTab, siteOf } from '../../types/page.ts';
import type { ShownTab } from '../../types/tools/tool-call.ts';
import type { ToolResult } from '../../types/tools/tool-result.ts';
import type { ToolAnnotations } from '../../types/tools/tool.ts';
import type { OwnCall } from '../every-run-tool.ts';
import { withoutUnseen } from '../page/reading/unseen.ts';

const LONGEST_TITLE = 300;

type Args = Record<string, unknown>;
/**
 * Elements by their references, the origins of the documents that they are in, whether acting on them sends a form, and whether
 * one is pressed to find where files go.
 */
export type Targets = {
  targets: Record<string, string>;
  sites: string[];
  submits?: boolean;
  downloads?: boolean;
  presses?: boolean;
  at?: ShownTab;
};

/** What a tool reads: of the tab that `args.tab` names, else of the one in front of the user. */
export type OwnToolDeps = {
  /** A part of a page, with what says where it is from. What may not be read is a result that says so. */
  read: (call: OwnCall, args: Args, part: 'page' | 'selection' | 'screenshot') => Promise<ToolResult>;
  /** Calls a function in each of the tab's documents. */
  ask: (call: OwnCall, args: Args, name: 'find' | 'snapshot' | 'tables') => Promise<ToolResult>;
  /** Does something in a page, and gives what came of it, as it was measured there. */
  act: (call: OwnCall, args: Args, name: ActionName) => Promise<ToolResult>;
  /** Has the next dialog that an action opens in a page answered so. */
  answerDialog: (call: OwnCall, args: Args, answer: DialogAnswer) => Promise<ToolResult>;
  /** Takes a tab elsewhere, and waits for the page that comes; or closes it. Any other word is an address. */
  go: (call: OwnCall, args: Args, where: string) => Promise<ToolResult>;
  /** Waits until what the arguments name is so, or the time is up: a result that says which. */
  waitFor: (call: OwnCall, args: Args) => Promise<ToolResult>;
  /** A snapshot of the tab as the user left it. */
  afterUser: (call: OwnCall, args: Args) => Promise<ToolResult>;
  /** What the elements are that a call would act on, by their references: `button "Save"`. Of a key without one what has the focus. */
  targetsOf: (call: Pick<OwnCall, 'conversationId' | 'at'>, args: Args) => Promise<Targets>;
  /** @throws AppError `private_address` for one in the user's own network that they did not name in the chat */
  fetch: (call: OwnCall, url: string) => Promise<ToolResult>;
  /** Of the page that would be read with such arguments; undefined where the browser does not tell. */
  originOf: (call: Pick<OwnCall, 'conversationId' | 'at'>, args: Args) => Promise<string | undefined>;
  list: () => Promise<PageTab[]>;
  /** In the background; resolves when it has loaded, or takes too long for that. `note`: what is odd about it; `isBroken`: no page came. */
  open: (
    url: string,
    call: Pick<OwnCall, 'conversationId'>,
  ) => Promise<PageTab & { note?: string; isBroken?: true }>;
  show: (tabId: number) => Promise<PageTab>;
  now: () => number;
  /** Keeps a note for later chats, of its project where the call's chat has one. */
  remember: (text: string, call: Pick<OwnCall, 'conversationId' | 'from'>) => Promise<void>;
};

/** A tool that the user may switch off and that asks for permission as a server's does. */
export type OwnTool = {
  description: string;
  /** A JSON schema's `properties`, and which of them must be given. */
  parameters?: Args;
  required?: string[];
  annotations: ToolAnnotations;
  run: (deps: OwnToolDeps, call: OwnCall, args: Args) => Promise<ToolResult>;
};

/** Parameters of several tools. */
export const tabParameter = { type: 'integer', description: 'Id from list_tabs' };
/** Beside a reference, which is of the tab whose snapshot it came from. */
export const refTabParameter = { type: 'integer' };
export const refParameter = { type: 'string', description: 'From snapshot' };
export const urlParameter = { type: 'string', pattern: '^https?://[^/?#]' };

/**
 * The address that a call names. Its schema says the same, and is not tested against long arguments.
 * @throws AppError `no_web_address` for any scheme but http and https, and for one with a user name or password in it
 */
export function webAddressOf(args: Args): string {
  const { url: given } = args;
  const url = typeof given === 'string' ? URL.parse(given) : null;
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url.href;
  throw new AppError({
    code: 'no_web_address',
    message:
      'Only addresses that begin with http:// or https:// can be used, with no user name or password in them.',
    fix: 'Give the address of a web page.',
  });
}

export const textResult = (text: string): ToolResult => ({ text, isError: false });

/** In quotation marks and on one line: the page's words, as nothing else is. */
export const quoted = (title: string, most = LONGEST_TITLE): string =>
  JSON.stringify(withoutUnseen(title).text.replaceAll(/\s+/g, ' ').trim().slice(0, most));

/**
 * Of another site only its origin: what stands there, and in its address, the user was not asked about. Of what is none of
 * the web, a file or a page of Portside's own, not even that.
 */
export function ofSite({ title, url, ...tab }: PageTab, site: string | undefined): PageTab {
  const origin = siteOf(url ?? '');
  if (origin === undefined || (origin !== site && !/^https?:/.test(origin))) return tab;
  return origin === site
    ? { ...tab, ...(title !== undefined && { title }), ...(url !== undefined && { url }) }
    : { ...tab, url: origin };
}

/** Where an error, being Portside's own word, leads to: the host is chosen by whoever led there. */
export const OTHER_SITE = 'a page of another site';

/** `12: "Title", https://example.com/ (in front)` */
export function tabLine({ id, title, url, active }: PageTab): string {
  const what = [title && quoted(title), url].filter(Boolean).join(', ');
  return `${id}: ${what || '(no access to its title and address)'}${active ? ' (in front)' : ''}`;
}
