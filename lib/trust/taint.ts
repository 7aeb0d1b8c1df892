import { isTyped } from '../types/attachment.ts';
import { ownRules, READ_MORE } from '../types/tools/own-tool-rules.ts';
import type { Tool } from '../types/tools/server-tool.ts';
import { isSkillCall } from '../types/tools/skill.ts';
import { readsOpenWorld, saysItReads, tierOf } from '../types/tools/tier.ts';
import { callIdOf, type ToolCall } from '../types/tools/tool-call.ts';
import { lacksAccess } from '../types/tools/tool-result.ts';
import { isOwnTool, OWN_TOOLS, PAGE_TOOLS, type ToolSource } from '../types/tools/tool-source.ts';
import type { Message } from '../types/message.ts';
import { siteOf } from '../types/page.ts';

/** What a model has read that neither the user nor Portside wrote. */
export type Foreign = {
  /** Whose it is, for the user: a host, a server's or a file's name, the title of an imported chat. */
  from: string;
  text: string;
  /** `from` is the host of a web page. */
  isHost?: true;
  /** Of a web page. */
  origin?: string;
  /** Of a server that said it. */
  serverId?: number;
  /** It stands in a message of the user's as well, as a server's prompt does. */
  isTyped?: true;
  /** What was left out of it, and may have been read since, is kept nowhere. */
  isCut?: true;
  /** A server's resource, or what its tool read of an open world: strangers may have written it. */
  isOpen?: true;
  /** Origin of the page whose tools' definitions it is: foreign to all but these. */
  offers?: string;
};

/** Stands for the origins of all tabs. */
export const ALL_TABS = '*';

/**
 * The foreign text on a branch. It is found anew each time in the rows themselves, so that it goes along with branches,
 * edits, queued messages, summaries (the originals stay) and exports.
 * @param calls the rows of the branch's calls
 * @param isTrusted whether the user trusts a server
 */
export function foreignIn(
  messages: Message[],
  calls: ToolCall[],
  isTrusted: (serverId: number) => boolean,
): Foreign[] {
  const attached = messages.flatMap((message) =>
    message.role === 'user' ? (message.attachments ?? []) : [],
  );
  return [
    ...attached.map((attachment): Foreign => {
      const { source, title, whole } = attachment;
      // `read_more` gives the rest of what was cut.
      const text = whole?.text ?? attachment.text;
      // Stands in the block's tag.
      const titled = `${title}\n${text}`;
      if (source.type === 'file') return { from: source.name, text };
      if (source.type === 'page') return ofPage(source.url, `${source.url}\n${titled}`);
      if (source.type === 'skill') return ofSkill(source, source.name, titled);
      const said = { from: source.serverName, text: titled, serverId: source.serverId };
      return isTyped(attachment)
        ? { ...said, text: text.replaceAll(LINE_END, '\n'), isTyped: true }
        : { ...said, isOpen: true };
    }),
    ...calls.flatMap((call) => foreignOf(call, isTrusted)),
    ...unknownIn(messages, calls),
    ...calls
      .flatMap(before)
      .flatMap((call) => foreignOf(call, isTrusted).map((each) => ({ ...each, isCut: true as const }))),
  ];
}

/** Those that a text area makes line feeds of. */
const LINE_END = /\r\n?/g;

const ofPage = (url: string, text: string): Foreign => {
  const origin = siteOf(url);
  const host = URL.parse(url)?.host;
  const from = host ? ({ from: host, isHost: true } as const) : { from: url };
  return { ...from, text, ...(origin !== undefined && { origin }) };
};

/** A skill is more than an answer, since it says what is to be done: also of a trusted server, or out of the user's own folder. */
const ofSkill = (
  { serverId, serverName }: { serverId: ToolSource; serverName: string },
  name: string,
  text: string,
): Foreign => (isOwnTool(serverId) ? { from: name, text } : { from: serverName || name, text, serverId });

/** A call's result, unless it is Portside's own word. */
const answerTo = ({ result, refused, status }: ToolCall): ToolCall['result'] =>
  refused || status === 'denied' ? undefined : result;

/** The answers to calls whose rows are gone, since they were damaged: nothing tells whose they are. */
function unknownIn(messages: Message[], calls: ToolCall[]): Foreign[] {
  const known = new Set(calls.map(({ messageId, position }) => callIdOf(messageId, position)));
  return messages.flatMap((message) =>
    message.role !== 'tool' || message.refusal || known.has(callIdOf(message.parentId ?? '', message.sub - 1))
      ? []
      : { from: message.name, text: message.content },
  );
}

/** A call as it was each time before it was run again, without its words. */
const before = ({ refused: _now, earlier = [], ...call }: ToolCall): ToolCall[] =>
  earlier.map((result) => ({ ...call, status: 'success', result: { ...result, text: '' } }));

/** What came of a call. Only of a trusted server's tool in a closed world it is not foreign. */
function foreignOf(call: ToolCall, isTrusted: (serverId: number) => boolean): Foreign[] {
  const { serverId, serverName, toolName, annotations } = call;
  const result = answerTo(call);
  if (!result || lacksAccess(call)) return [];
  if (isSkillCall(call)) return [ofSkill(call, annotations.title ?? toolName, result.text)];
  // `read_more` and `search_tools`: what they give is on the branch already, or Portside's.
  if (serverId === null || ownRules(call)?.answersItself) return [];
  const { text, url } = result;
  // Of what the log dropped there is what the model was sent, which tells how to read what was cut; of what an app had, nothing.
  const isPart = result.dropped && (text === '' || text.includes(READ_MORE));
  const cut = isPart && { isCut: true as const };
  if (url !== undefined) {
    const { origin: _its, ...fetched } = ofPage(url, text);
    // Fetched without cookies: that says nothing of the site's tabs, where the user may be signed in.
    return [{ ...(toolName === 'fetch_url' ? fetched : ofPage(url, text)), ...cut }];
  }
  // The error of one of Portside's own tools, or of a page's, is Portside's text, unless the log kept too little to tell.
  if (serverId === OWN_TOOLS || serverId === PAGE_TOOLS)
    return result.isError && !result.dropped ? [] : [{ from: serverName, text, ...cut }];
  if (annotations.openWorldHint === false && isTrusted(serverId)) return [];
  const open = readsOpenWorld(annotations) && { isOpen: true as const };
  return [{ from: serverName || toolName, text, serverId, ...open, ...cut }];
}

/** The servers whose tools answered on a branch. @param calls the rows of its calls */
export const answeredIn = (calls: ToolCall[]): Set<number> =>
  new Set(
    [...calls, ...calls.flatMap(before)].flatMap((call) =>
      isOwnTool(call.serverId) || !answerTo(call) ? [] : call.serverId,
    ),
  );

/**
 * The foreign text that may be behind a call. What the tool's own server said counts once another server, even a trusted one,
 * has answered in the chat, since it may have that answer sent to itself. Until then only what it read of an open world counts,
 * for calls that change something: after an issue that strangers wrote the next one may be read, but none be written.
 */
export function foreignTo(
  { serverId, annotations, reads }: Pick<ToolCall, 'serverId' | 'annotations' | 'reads'>,
  { foreign, answered }: { foreign: Foreign[]; answered: Set<number> },
): Foreign[] {
  const isAlone = [...answered].every((id) => id === serverId);
  return foreign.filter(
    (each) =>
      (each.serverId !== serverId || !isAlone || (each.isOpen && !saysItReads(annotations))) &&
      (serverId !== PAGE_TOOLS || each.offers === undefined || each.offers !== reads),
  );
}

/**
 * Whether a call that would run without a question is asked about all the same, because foreign text may be behind it: it
 * writes, sends or destroys, or reads a page of a site that the chat has read nothing of. That it only reads is believed of
 * servers that the user trusts.
 * @param reads the origin that the call would read of, or `ALL_TABS`
 */
export function asksAgain(
  tool: Pick<Tool, 'serverId' | 'annotations'>,
  branch: { foreign: Foreign[]; answered: Set<number> },
  reads: string | undefined,
  isTrusted: boolean,
): boolean {
  const others = foreignTo({ ...tool, ...(reads !== undefined && { reads }) }, branch);
  if (others.length === 0) return false;
  if (tierOf(tool.annotations) !== 'reads' || !isTrusted) return true;
  return reads !== undefined && !others.some(({ origin }) => origin === reads);
}

/** Whether a model may be told, unasked, what pages of a site offer: as what is read there, not first after others' text. */
export const mayBeTold = (site: string, foreign: Foreign[]): boolean =>
  foreign.length === 0 || foreign.some(({ origin, offers }) => origin === site || offers === site);
