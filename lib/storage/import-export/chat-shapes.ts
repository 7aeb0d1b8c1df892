import * as z from 'zod/mini';
import { withoutControlTokens } from '../../control-tokens.ts';
import { withoutInvisible, withoutInvisibleIn } from '../../invisible.ts';
import type { Attachment, AttachmentSource } from '../../types/attachment.ts';
import type { Message } from '../../types/message.ts';
import { REASONING_EFFORTS } from '../../types/model.ts';
import { CALL_STATUSES, MAX_ARGUMENTS, MAX_CALLS } from '../../types/tools/tool-call.ts';
import { type ContentBlock, REFUSED } from '../../types/tools/tool-result.ts';
import { OWN_TOOLS, PAGE_TOOLS } from '../../types/tools/tool-source.ts';
import { fields, list, number, record, type Shape, text, time, whole } from './shapes.ts';

/** What others gave is cut where it is longer: what a server calls something keeps no chat from being read again. */
const upTo = (most: number): Shape<string> =>
  z.pipe(
    z.string(),
    z.transform((given) => given.slice(0, most)),
  );

/** What a plain object has of its own (`constructor`) would be found in each table of rows. */
const id = z.pipe(
  text(500, 1),
  z.transform((given) => (given in {} ? `_${given}` : given)),
);
const name = upTo(1_000);
const argumentText = upTo(MAX_ARGUMENTS);
const count = whole();
/** Of a clock that may have been put back meanwhile. */
const milliseconds = z.pipe(
  number(-Infinity),
  z.transform((ms) => Math.max(0, ms)),
);

/** What a model is sent outside of a block: the user sees all of it. */
const seen = (words: Shape<string>) =>
  z.pipe(
    words,
    z.transform((given) => withoutInvisible(given).text),
  );
const words = seen(z.string());
const raw = z.pipe(record, z.transform(withoutInvisibleIn));

const tokens = number(); // as a provider counts them
const usage = fields({ inputTokens: tokens, outputTokens: tokens }, { cachedTokens: tokens });
const picture = fields({ data: z.string(), mimeType: name });

const source: Shape<AttachmentSource> = z.discriminatedUnion('type', [
  fields({ type: z.literal('resource'), serverId: count, serverName: name, uri: z.string() }),
  fields({ type: z.literal('app'), serverId: count, serverName: name, callId: name }),
  fields(
    { type: z.literal('prompt'), serverId: count, serverName: name, name },
    { isTyped: z.literal(true) },
  ),
  fields({ type: z.literal('skill'), serverId: whole(OWN_TOOLS), serverName: name, name, uri: z.string() }),
  fields({ type: z.literal('file'), name, size: count }),
  fields(
    {
      type: z.literal('page'),
      part: z.literal(['page', 'transcript', 'selection', 'field', 'screenshot', 'image', 'link']),
      tabId: whole(-1),
      url: z.string(),
      at: time,
    },
    { fieldId: name },
  ),
]);

/** Without what Portside says of it (`stale`), as an answer comes without its `notes`: a file can’t speak as Portside. */
export const attachmentShape: Shape<Attachment> = fields(
  { id, title: name, source, text: z.string(), tokens: count },
  {
    mimeType: name,
    pictures: z.array(picture),
    whole: fields({ readId: id, text: z.string() }),
  },
);

const common = {
  id,
  parentId: z.nullable(id),
  seq: count,
  sub: count,
  timestamp: time,
  status: z.literal(['streaming', 'complete', 'partial']),
  content: words,
};

const callRequest = fields(
  { id: name, name: seen(name), arguments: seen(argumentText) },
  { broken: z.literal(true), raw },
);

/** A message without its conversation's id, which is another one's here. */
export type ImportedMessage = Message extends infer M
  ? M extends Message
    ? Omit<M, 'conversationId'>
    : never
  : never;

export const messageShape: Shape<ImportedMessage> = z.discriminatedUnion('role', [
  fields({ ...common, role: z.literal('user') }, { attachments: z.array(attachmentShape) }),
  fields(
    { ...common, role: z.literal('assistant'), runId: id },
    {
      model: name,
      reasoning: words,
      tool_calls: list(callRequest, MAX_CALLS),
      usage,
      cost: number(),
      timing: fields({ firstTokenMs: milliseconds }, { reasoningMs: milliseconds }),
      finish: z.literal(['length', 'filtered', 'limit']),
      pickedUpAt: time,
      instructedBy: z.array(fields({ serverId: count, name })),
      offeredBy: z.array(name),
      raw,
    },
  ),
  fields(
    { ...common, content: z.string(), role: z.literal('tool'), tool_call_id: name, name: seen(name) },
    {
      pictures: z.array(picture),
      edited: text(MAX_ARGUMENTS),
      refusal: z.literal(REFUSED),
      word: words,
    },
  ),
  fields(
    { ...common, role: z.literal('summary'), runId: id, keepsFrom: z.nullable(id) },
    { usage, cost: number() },
  ),
]);

const block: Shape<ContentBlock> = z.discriminatedUnion('type', [
  fields({ type: z.literal('text'), text: z.string() }),
  fields(
    { type: z.literal('image'), data: z.string(), mimeType: name },
    { onlyForUser: z.literal(true), moment: z.literal(['before', 'after']) },
  ),
  fields({ type: z.literal('audio'), data: z.string(), mimeType: name }),
  fields(
    { type: z.literal('resource_link'), uri: z.string(), name },
    { title: name, description: z.string(), mimeType: name, size: number() },
  ),
  fields({
    type: z.literal('resource'),
    resource: fields({ uri: z.string() }, { mimeType: name, text: z.string(), blob: z.string() }),
  }),
  fields({ type: z.literal('unknown'), value: z.unknown() }),
]);

const result = fields(
  { text: z.string(), isError: z.boolean() },
  {
    blocks: z.array(block),
    structured: z.unknown(),
    dropped: z.literal(true),
    refusal: z.literal(REFUSED),
    word: words,
  },
);

const annotations = fields(
  {},
  {
    title: name,
    readOnlyHint: z.boolean(),
    destructiveHint: z.boolean(),
    idempotentHint: z.boolean(),
    openWorldHint: z.boolean(),
  },
);

/** A call without what only holds where it was made: whose server it went to, and what was allowed there. */
export const callShape = fields(
  {
    runId: id,
    messageId: id,
    position: whole(),
    toolCallId: name,
    namespacedName: name,
    toolName: name,
    serverId: z.nullable(whole(PAGE_TOOLS)),
    serverName: name,
    arguments: argumentText,
    annotations,
    status: z.literal(CALL_STATUSES),
    createdAt: time,
  },
  {
    edited: text(MAX_ARGUMENTS),
    refused: z.literal(true),
    result,
    startedAt: time,
    durationMs: milliseconds,
  },
);

/** Characters of a system prompt: other programs' may be longer than Portside's own. */
const LONGEST_IN_FILE = 100_000;

const settings = fields(
  {},
  {
    // It may become the user's own.
    system: z.pipe(seen(text(LONGEST_IN_FILE)), z.transform(withoutControlTokens)),
    temperature: number(0, 2),
    maxTokens: whole(1),
    reasoningEffort: z.literal(REASONING_EFFORTS),
  },
);

/** A conversation without what only holds where it was: its provider, its tools, how its last run went. Its project has one key everywhere. */
export const conversationShape = fields(
  { id, title: seen(name), createdAt: time, updatedAt: time, leafId: z.nullable(id), settings },
  {
    usage: fields({ inputTokens: tokens, outputTokens: tokens }, { cachedTokens: tokens, cost: number() }),
    titledBy: z.literal(['model', 'person']),
    pinnedAt: time,
    archivedAt: time,
    project: z.nullable(text(100)),
  },
);
