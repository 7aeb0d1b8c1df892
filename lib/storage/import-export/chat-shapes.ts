import type { Attachment, AttachmentSource } from '../../types/attachment.ts';
import type { WireError } from '../../types/error.ts';
import type { Message } from '../../types/message.ts';
import { REASONING_EFFORTS } from '../../types/model.ts';
import { type ContentBlock, MAX_ARGUMENTS, MAX_CALLS, OWN_TOOLS } from '../../types/tool.ts';
import {
  anything,
  fields,
  list,
  nullable,
  number,
  oneOf,
  record,
  type Shape,
  text,
  time,
  truth,
  union,
} from './shapes.ts';

const id = text({ least: 1, most: 500 });
const name = text({ most: 1_000 });
const count = number({ isWhole: true });

const usage = fields({ inputTokens: count, outputTokens: count }, { cachedTokens: count });
const picture = fields({ data: text(), mimeType: name });
const wireError: Shape<WireError> = fields(
  { code: name, message: text(), retryable: truth },
  { cause: text(), fix: text() },
);

const source: Shape<AttachmentSource> = union<AttachmentSource>('type', {
  resource: fields({ type: oneOf('resource'), serverId: count, serverName: name, uri: text() }),
  prompt: fields({ type: oneOf('prompt'), serverId: count, serverName: name, name }),
  file: fields({ type: oneOf('file'), name, size: count }),
  page: fields(
    {
      type: oneOf('page'),
      part: oneOf('page', 'selection', 'field', 'screenshot', 'image', 'link'),
      tabId: number({ least: -1, isWhole: true }),
      url: text(),
      at: time,
    },
    { fieldId: name },
  ),
});

export const attachmentShape: Shape<Attachment> = fields(
  { id, title: name, source, text: text(), tokens: count },
  { mimeType: name, pictures: list(picture), whole: fields({ readId: id, text: text() }), stale: wireError },
);

const common = {
  id,
  parentId: nullable(id),
  seq: count,
  sub: count,
  timestamp: time,
  status: oneOf('streaming', 'complete', 'partial'),
  content: text(),
};

const callRequest = fields(
  { id: name, name, arguments: text({ most: MAX_ARGUMENTS }) },
  { broken: oneOf(true), raw: record },
);

/** A message without its conversation's id, which is another one's here. */
export type ImportedMessage = Message extends infer M
  ? M extends Message
    ? Omit<M, 'conversationId'>
    : never
  : never;

export const messageShape: Shape<ImportedMessage> = union<ImportedMessage>('role', {
  user: fields({ ...common, role: oneOf('user') }, { attachments: list(attachmentShape) }),
  assistant: fields(
    { ...common, role: oneOf('assistant'), runId: id },
    {
      model: name,
      reasoning: text(),
      tool_calls: list(callRequest, MAX_CALLS),
      usage,
      cost: number(),
      timing: fields({ firstTokenMs: number() }, { reasoningMs: number() }),
      finish: oneOf('length', 'filtered', 'limit'),
      pickedUpAt: time,
      notes: list(text()),
      raw: record,
    },
  ),
  tool: fields({ ...common, role: oneOf('tool'), tool_call_id: name, name }, { pictures: list(picture) }),
  summary: fields(
    { ...common, role: oneOf('summary'), runId: id, keepsFrom: nullable(id) },
    { usage, cost: number() },
  ),
});

const block: Shape<ContentBlock> = union<ContentBlock>('type', {
  text: fields({ type: oneOf('text'), text: text() }),
  image: fields({ type: oneOf('image'), data: text(), mimeType: name }, { onlyForUser: oneOf(true) }),
  audio: fields({ type: oneOf('audio'), data: text(), mimeType: name }),
  resource_link: fields(
    { type: oneOf('resource_link'), uri: text(), name },
    { title: name, description: text(), mimeType: name, size: number() },
  ),
  resource: fields({
    type: oneOf('resource'),
    resource: fields({ uri: text() }, { mimeType: name, text: text(), blob: text() }),
  }),
  unknown: fields({ type: oneOf('unknown'), value: anything }),
});

const result = fields(
  { text: text(), isError: truth },
  { blocks: list(block), structured: anything, dropped: oneOf(true) },
);

const annotations = fields(
  {},
  {
    title: name,
    readOnlyHint: truth,
    destructiveHint: truth,
    idempotentHint: truth,
    openWorldHint: truth,
  },
);

/** A call without what only holds where it was made: whose server it went to, and what was allowed there. */
export const callShape = fields(
  {
    runId: id,
    messageId: id,
    position: number({ isWhole: true }),
    toolCallId: name,
    namespacedName: name,
    toolName: name,
    serverId: nullable(number({ least: OWN_TOOLS, isWhole: true })),
    serverName: name,
    arguments: text({ most: MAX_ARGUMENTS }),
    annotations,
    status: oneOf(
      ...(['pending', 'approved', 'running', 'success', 'error'] as const),
      ...(['timeout', 'cancelled', 'denied', 'unknown'] as const),
    ),
    createdAt: time,
  },
  {
    edited: text({ most: MAX_ARGUMENTS }),
    refused: oneOf(true),
    result,
    startedAt: time,
    durationMs: number(),
  },
);

const settings = fields(
  {},
  {
    system: text(),
    temperature: number({ most: 2 }),
    maxTokens: number({ least: 1, isWhole: true }),
    reasoningEffort: oneOf(...REASONING_EFFORTS),
  },
);

/** A conversation without what only holds where it was: its provider, its tools, how its last run went. */
export const conversationShape = fields(
  { id, title: text({ most: 10_000 }), createdAt: time, updatedAt: time, leafId: nullable(id), settings },
  {
    usage: fields({ inputTokens: count, outputTokens: count }, { cachedTokens: count, cost: number() }),
    titledBy: oneOf('model', 'person'),
    pinnedAt: time,
    archivedAt: time,
  },
);
