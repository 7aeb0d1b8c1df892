import * as z from 'zod/mini';

// Extension pages forbid `eval`, with which zod would compile its parsers: https://zod.dev/api?id=jitless
z.config({ jitless: true });

const record = z.record(z.string(), z.unknown());
const text = (most: number) => z.string().check(z.maxLength(most));
const id = z.union([text(200), z.number()]);
const block = z.looseObject({ type: text(40) });

/** A message of an app, of which only its kind is known: JSON-RPC 2.0. */
export const messageShape = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.optional(id),
  method: z.optional(text(100)),
  params: z.optional(record),
  result: z.optional(z.unknown()),
  error: z.optional(z.object({ message: z.string() })),
});
export type AppMessage = z.infer<typeof messageShape>;

const MODES = ['inline', 'fullscreen', 'pip'] as const;

const file = z.object({
  type: z.literal('resource'),
  resource: z.object({
    uri: text(2000),
    text: z.optional(z.string()),
    blob: z.optional(z.string()),
  }),
});
const link = z.object({ type: z.literal('resource_link'), uri: text(2000), name: z.optional(text(500)) });

/** What apps send (SEP-1865 and its specification's later methods), as far as Portside reads it. */
export const paramShapes = {
  'ui/initialize': z.object({
    appCapabilities: z.optional(
      z.object({
        availableDisplayModes: z.optional(z.array(z.enum(MODES)).check(z.maxLength(10))),
        tools: z.optional(record),
      }),
    ),
  }),
  ping: z.unknown(),
  'tools/call': z.object({ name: text(256), arguments: z.optional(record) }),
  'sampling/createMessage': record,
  'resources/list': z.unknown(),
  'resources/read': z.object({ uri: text(8000) }),
  'ui/open-link': z.object({ url: text(8000) }),
  'ui/message': z.object({
    content: z.union([z.array(block).check(z.maxLength(100)), block]),
  }),
  'ui/update-model-context': z.object({
    content: z.optional(z.array(block).check(z.maxLength(100))),
    structuredContent: z.optional(record),
  }),
  'ui/request-display-mode': z.object({ mode: z.enum(MODES) }),
  'ui/download-file': z.object({
    contents: z.array(z.union([file, link])).check(z.minLength(1), z.maxLength(10)),
  }),
} satisfies Record<string, z.ZodMiniType>;

export type AppRequests = { [M in keyof typeof paramShapes]: z.infer<(typeof paramShapes)[M]> };
export type DownloadedFile = AppRequests['ui/download-file']['contents'][number];
export type DisplayMode = (typeof MODES)[number];

export const sizeShape = z.object({ height: z.optional(z.number()) });
export const cancelledShape = z.object({ requestId: id });

/** What an app answers. */
export const resultShape = record;
export const toolsShape = z.object({ tools: z.array(z.unknown()), nextCursor: z.optional(text(2000)) });
export const toolShape = z.object({
  name: text(256),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  inputSchema: z.optional(record),
  annotations: z.optional(
    z.object({ title: z.optional(z.string()), destructiveHint: z.optional(z.boolean()) }),
  ),
});
