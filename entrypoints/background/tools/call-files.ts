import { base64Of } from '../../../lib/base64.ts';
import { AppError } from '../../../lib/errors.ts';
import { loadBefore, loadCalls } from '../../../lib/storage/chats/messages.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import type { SentFile } from '../../../lib/tools/page/actions/act-args.ts';
import { decoded } from '../../../lib/types/answers.ts';
import type { NamedFile, ToolCall } from '../../../lib/types/tools/tool-call.ts';
import type { ContentBlock } from '../../../lib/types/tools/tool-result.ts';

/** Bytes of all files of a call; base64 of more does not fit into a message of the browser's. */
const MOST_BYTES = 28_000_000;
/** Files that are listed where the wanted one is not there. */
const MOST_LISTED = 50;

/** `as`: what a model calls it. `content`: undefined where it is not kept. */
type ChatFile = NamedFile & {
  as: string;
  content: () => Promise<Omit<SentFile, 'name'> | undefined>;
};

type Place = Pick<ToolCall, 'callId' | 'conversationId'>;

/**
 * The files that a call may name, of its branch before it: those that the user attached by their names, the latest of a
 * name; what tools gave as `result:<tool>/1` and so on, and the last as `result:<tool>`.
 */
async function filesOf(db: Database, place: Place): Promise<Map<string, ChatFile>> {
  const before = await loadBefore(db, place);
  const files = new Map<string, ChatFile>();
  const counts = new Map<string, number>();
  for (const call of await loadCalls(db, before))
    for (const file of filesIn(call)) {
      const tool = `result:${call.namespacedName}`;
      const count = (counts.get(tool) ?? 0) + 1;
      counts.set(tool, count);
      const named = { ...file, as: `${tool}/${count}` };
      files.set(named.as, named).set(tool, named);
    }
  for (const message of before)
    for (const { source, fileId = '' } of (message.role === 'user' && message.attachments) || []) {
      if (source.type !== 'file') continue;
      const { name, size } = source;
      const content = async () => {
        const file = await db.get('files', fileId);
        return file && { mimeType: file.type, data: await base64Of(file) };
      };
      files.set(name, { as: name, id: fileId, name, size, content });
    }
  return files;
}

/** What a call gave that is a file, else its text as one; nothing of what an app had called, of which no model is told. */
function filesIn({ callId, toolName, status, result, byApp }: ToolCall): Omit<ChatFile, 'as'>[] {
  if (byApp !== undefined || status !== 'success' || !result || result.isError || result.dropped) return [];
  const found = (result.blocks ?? []).flatMap((block) => fileOf(block, toolName) ?? []);
  const all =
    found.length > 0 || result.text === '' ? found : [textFile(`${toolName}.txt`, 'text/plain', result.text)];
  return all.map((file, at) => ({ ...file, id: `${callId}.${at}` }));
}

function fileOf(block: ContentBlock, toolName: string): Omit<ChatFile, 'as' | 'id'> | undefined {
  if (block.type === 'image' && block.moment) return undefined; // the model knows nothing of it
  if (block.type === 'image' || block.type === 'audio')
    return base64File(`${toolName}.${endingOf(block.mimeType)}`, block.mimeType, block.data);
  if (block.type !== 'resource') return undefined;
  const { uri, mimeType = '', text, blob } = block.resource;
  const name = lastOf(uri) || `${toolName}.${endingOf(mimeType)}`;
  if (blob !== undefined) return base64File(name, mimeType, blob);
  return text === undefined ? undefined : textFile(name, mimeType, text);
}

const base64File = (name: string, mimeType: string, data: string) => ({
  name,
  size: Math.floor((data.replace(/={1,2}$/, '').length * 3) / 4),
  content: async () => ({ mimeType, data }),
});

function textFile(name: string, mimeType: string, text: string) {
  const file = new Blob([text]);
  return { name, size: file.size, content: async () => ({ mimeType, data: await base64Of(file) }) };
}

/** Of a media type, for what has no name. */
function endingOf(mimeType: string): string {
  const [, subtype = ''] = /^[\w-]+\/(?:x-)?([\w-]+)/.exec(mimeType) ?? [];
  return { jpeg: 'jpg', mpeg: 'mp3', plain: 'txt', svg: 'svg', '': 'bin' }[subtype] ?? subtype;
}

/** The end of an address, as far as a file may be called that. */
function lastOf(uri: string): string {
  const path = URL.parse(uri)?.pathname ?? uri;
  const last = path.split('/').findLast((part) => part !== '') ?? '';
  return decoded(last)
    .replaceAll(/[\\/:*?"<>|\p{C}]/gu, '_')
    .slice(-200);
}

const namesIn = (args: Record<string, unknown>): string[] =>
  Array.isArray(args['files']) ? [...new Set(args['files'].map(String))] : [];

/** What the files are that a call would give to a page, by the names that it calls them; what is not there is left out. */
export async function namedFiles(
  db: Database,
  place: Place,
  args: Record<string, unknown>,
): Promise<Record<string, NamedFile>> {
  const files = await filesOf(db, place);
  const named = namesIn(args).flatMap((as): [string, NamedFile][] => {
    const { id, name, size } = files.get(as) ?? {};
    return id === undefined || name === undefined || size === undefined ? [] : [[as, { id, name, size }]];
  });
  return Object.fromEntries(named);
}

/**
 * The files that a call names, with their content.
 * @throws AppError `no_file`, `file_changed` where it is not what the call was judged by, `file_not_kept`, `files_too_large`
 */
export async function filesToSend(
  db: Database,
  { files: judged, ...place }: Place & Pick<ToolCall, 'files'>,
  args: Record<string, unknown>,
): Promise<SentFile[]> {
  const there = await filesOf(db, place);
  const wanted = namesIn(args).map((as) => {
    const file = there.get(as);
    if (!file) throw noFile(as, [...new Set(there.values())]);
    const seen = judged?.[as];
    if (judged && (seen?.id !== file.id || seen.size !== file.size)) throw fileChanged(as);
    return file;
  });
  const size = wanted.reduce((sum, file) => sum + file.size, 0);
  if (size > MOST_BYTES) throw tooLarge(size);
  return Promise.all(
    wanted.map(async ({ as, name, content }) => {
      const given = await content();
      if (!given) throw notKept(as);
      return { name, ...given };
    }),
  );
}

function noFile(as: string, there: ChatFile[]): AppError {
  const listed = there.slice(-MOST_LISTED).map((file) => {
    const { name, size } = file;
    return `${JSON.stringify(file.as)} (${file.as === name ? '' : `${name}, `}${size} bytes)`;
  });
  return new AppError({
    code: 'no_file',
    message: `This chat has no file ${JSON.stringify(as)}.`,
    fix:
      listed.length > 0
        ? `There are: ${listed.join(', ')}.`
        : 'No file is attached to it, and no tool has given any: ask the user to attach one.',
  });
}

const fileChanged = (as: string): AppError =>
  new AppError({
    code: 'file_changed',
    message: `${JSON.stringify(as)} is not the file that it was when this was allowed: nothing was done.`,
    fix: 'Call it again.',
  });

const notKept = (as: string): AppError =>
  new AppError({
    code: 'file_not_kept',
    message: `Of ${JSON.stringify(as)} only its text is here: it has more than 25 MB, or its chat comes from a file or an earlier Portside.`,
    fix: 'Ask the user to attach it anew, or to choose it in the page themselves.',
  });

const tooLarge = (size: number): AppError =>
  new AppError({
    code: 'files_too_large',
    message: `These files have ${size} bytes together; ${MOST_BYTES} can be given to a page at once.`,
    fix: 'Give it fewer at a time.',
  });
