import { beforeCallsOf, loadCalls, loadPath } from '../../../../lib/storage/chats/messages.ts';
import { isSiteForbidden } from '../../../../lib/fleet/rules.ts';
import { projectOf } from '../../../../lib/storage/configuration/projects.ts';
import { loadSiteRules } from '../../../../lib/storage/configuration/site-rules.ts';
import type { Database } from '../../../../lib/storage/schema.ts';
import { isNeverRead } from '../../../../lib/trust/site-rules.ts';
import { answeredIn, type Foreign, foreignIn } from '../../../../lib/trust/taint.ts';
import { type Message, QUOTATIONS } from '../../../../lib/types/message.ts';
import { callIdOf, messageOf, type ToolCall } from '../../../../lib/types/tools/tool-call.ts';

type Wanted = Pick<ToolCall, 'callId' | 'conversationId' | 'byApp'>;

/** What a chat had read when its model made a call. `instructionsOf`: what a server says of itself to models, while it is connected. */
export function createReadBefore(db: Database, instructionsOf: (serverId: number) => string | undefined) {
  /** What was on the branch when the model made the call, or what its app was told by then: the foreign text, and the user's own. */
  async function readBefore({ callId, conversationId, byApp }: Wanted) {
    const messageId = messageOf(callId);
    const told = byApp === undefined ? [] : await tellingApp(db, conversationId, callIdOf(messageId, byApp));
    const [onPaths, before] = [new Map<string, Message>(), new Map<string, Message>()];
    for (const id of [...told, messageId]) {
      if (onPaths.has(id)) continue; // what stands before it, too
      const path = await loadPath(db, conversationId, id);
      for (const each of path) onPaths.set(each.id, each);
      for (const each of beforeCallsOf(id, path)) before.set(each.id, each);
    }
    const ofApp = byApp === undefined ? [] : await callsAround(db, messageId, byApp);
    return readIn(conversationId, [...onPaths.values()], [...before.values()], ofApp);
  }

  /** What is on the whole branch that ends in a message. */
  async function readOn(conversationId: string, leafId: string | null) {
    const branch = await loadPath(db, conversationId, leafId);
    return readIn(conversationId, branch, branch);
  }

  /** @param messages those of the branch whose words count */
  async function readIn(
    conversationId: string,
    branch: Message[],
    messages: Message[],
    ofApp: ToolCall[] = [],
  ) {
    const [ofModel, servers, notes, chat] = await Promise.all([
      loadCalls(db, messages),
      db.getAll('servers'),
      db.getAll('notes'),
      db.get('conversations', conversationId),
    ]);
    const calls = [...ofModel, ...ofApp];
    const files = (await projectOf(db, chat))?.files ?? [];
    const isTrusted = (id: number): boolean => servers.some((server) => server.id === id && server.trusted);
    const said = instructorsOf(branch).filter(({ serverId }) => !isTrusted(serverId));
    const instructions = said.map(({ serverId, name }): Foreign => {
      return { from: name, text: instructionsOf(serverId) ?? '', serverId };
    });
    const noted = sourcesOfNotes(branch).map((from): Foreign => {
      const its = [
        ...notes.filter((note) => note.from?.includes(from)),
        ...files.filter(({ name }) => name === from),
      ];
      return { from, text: its.map(({ text }) => text).join('\n') };
    });
    const system = (chat?.systemFromFile && chat.settings.system) ?? '';
    const imported: Foreign[] = chat?.imported
      ? [{ from: chat.title, text: `${system}\n${textOf(messages)}` }]
      : [];
    const offers = offeringOn(branch).map((site): Foreign => {
      return { from: URL.parse(site)?.host ?? site, text: '', isHost: true, offers: site };
    });
    const cited = branch
      .flatMap((each) => ('cited' in each && each.cited) || [])
      .map((from): Foreign => ({ from, text: '', isHost: true, isCut: true }));
    const read = [...offers, ...cited, ...foreignIn(messages, calls, isTrusted)];
    // Which sites an imported chat has read, or was offered tools by, is only what its file claims: anyone may have written it.
    const known: Foreign[] = chat?.imported
      ? read.map(({ origin: _said, isHost: _its, offers: _too, ...each }) => each)
      : read;
    const own = messages.filter((message) => message.role === 'user' && !message.imported);
    return {
      foreign: [...instructions, ...noted, ...imported, ...known],
      answered: answeredIn(calls),
      written: textOf(own).replaceAll(QUOTATIONS, ''), // what they quote is others' words
    };
  }

  /** Of the pages that its chat had read when the model made a call, but for those that are never read from now on. */
  async function originsRead(wanted: Wanted): Promise<string[]> {
    const [{ foreign }, rules] = await Promise.all([readBefore(wanted), loadSiteRules(db)]);
    return foreign.flatMap(({ origin }) =>
      origin === undefined || isNeverRead(rules, origin) || isSiteForbidden([origin]) ? [] : origin,
    );
  }

  return { readBefore, readOn, originsRead };
}

/** The call at a place of a message, which its app shows, and those that the app had made. */
async function callsAround(db: Database, messageId: string, place: number): Promise<ToolCall[]> {
  const all = await db.getAllFromIndex(
    'toolCalls',
    'by-message',
    IDBKeyRange.bound([messageId], [messageId, []]),
  );
  return all.filter(({ position, byApp }) => position === place || byApp === place);
}

/** The answers that called tools of an app, newest first: by them their model may have told it what it had read by then. @param ofApp the call that it shows */
async function tellingApp(db: Database, conversationId: string, ofApp: string): Promise<string[]> {
  const all = await db.getAllFromIndex('toolCalls', 'by-conversation', conversationId);
  return all
    .filter((call) => call.ofApp === ofApp && call.status !== 'pending' && call.status !== 'denied')
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
    .map((call) => call.messageId);
}

/** Whose instructions were in the requests of these answers. */
function instructorsOf(messages: Message[]) {
  const all = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.instructedBy ?? []) : [],
  );
  return [...new Map(all.map((each) => [each.serverId, each])).values()];
}

/** Whose text may be behind the notes in the requests of these answers, and the files of their project. */
const sourcesOfNotes = (messages: Message[]): string[] => [
  ...new Set(messages.flatMap((message) => (message.role === 'assistant' && message.notesFrom) || [])),
];

/** Of the pages whose tools could be called by these answers. */
const offeringOn = (messages: Message[]): string[] => [
  ...new Set(messages.flatMap((message) => (message.role === 'assistant' && message.offeredBy) || [])),
];

/** With what the user said to calls that they denied. */
const textOf = (messages: Message[]): string =>
  messages
    .map((message) => [message.content, message.role === 'tool' ? message.word : undefined].join('\n'))
    .join('\n');
