import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;
type Args = Record<string, unknown>;

/** Runs a tool's body under the test's eye: counted, timed, held at its gate, ended by a cancel. */
export type Execute = (
  tool: string,
  args: Args,
  signal: AbortSignal,
  body: () => CallToolResult | Promise<CallToolResult>,
) => Promise<CallToolResult>;

export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const text = (words: string): CallToolResult => ({ content: [{ type: 'text', text: words }] });

/** Every tool of the test server; what each is for is in its description. */
export function registerTools(server: McpServer, execute: Execute): void {
  const note = { text: z.string() };
  server.registerTool(
    'add',
    {
      title: 'Add',
      description: 'Adds two numbers.',
      inputSchema: { a: z.number(), b: z.number() },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (args, { signal }) => execute('add', args, signal, () => text(String(args.a + args.b))),
  );
  server.registerTool(
    'echo',
    { description: 'Says the message again.', inputSchema: { message: z.string() } },
    (args, { signal }) => execute('echo', args, signal, () => text(args.message)),
  );
  server.registerTool(
    'look_up',
    {
      description: 'Looks up a word. Reads only.',
      inputSchema: { word: z.string() },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (args, { signal }) => execute('look_up', args, signal, () => text(`${args.word}: a word`)),
  );
  server.registerTool(
    'write_note',
    { description: 'Writes a note: each call writes another.', inputSchema: note },
    (args, { signal }) => execute('write_note', args, signal, () => text(`Wrote: ${args.text}`)),
  );
  server.registerTool(
    'put_note',
    {
      description: 'Sets the note: the same call twice is as one.',
      inputSchema: note,
      annotations: { idempotentHint: true },
    },
    (args, { signal }) => execute('put_note', args, signal, () => text(`Put: ${args.text}`)),
  );
  server.registerTool(
    'sleep',
    {
      description: 'Sleeps.',
      inputSchema: { ms: z.number() },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (args, { signal }) => execute('sleep', args, signal, () => slept(args.ms)),
  );
  server.registerTool('fail', { description: 'Throws.' }, ({ signal }) =>
    execute('fail', {}, signal, () => {
      throw new Error('The tool broke.');
    }),
  );
  server.registerTool(
    'progress',
    { description: 'Reports progress in steps, then passes its gate.', inputSchema: { steps: z.number() } },
    async (args, extra) => {
      await reportProgress(args.steps, extra);
      return execute('progress', args, extra.signal, () => text(`Did ${args.steps} steps`));
    },
  );
  server.registerTool(
    'picture',
    { description: 'Answers with images.', inputSchema: { types: z.array(z.string()).optional() } },
    (args, { signal }) =>
      execute('picture', args, signal, () => ({
        content: (args.types ?? ['image/png']).map((mimeType) => ({ type: 'image', data: PIXEL, mimeType })),
      })),
  );
  server.registerTool(
    'structured',
    { description: 'Answers with structured content alone.', outputSchema: { total: z.number() } },
    ({ signal }) =>
      execute('structured', {}, signal, () => ({ content: [], structuredContent: { total: 42 } })),
  );
}

async function slept(ms: number): Promise<CallToolResult> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return text(`Slept ${ms} ms`);
}

async function reportProgress(steps: number, extra: Extra): Promise<void> {
  const progressToken = extra['_meta']?.progressToken;
  if (progressToken === undefined) return;
  for (let step = 1; step <= steps; step++) {
    await extra.sendNotification({
      method: 'notifications/progress',
      params: { progressToken, progress: step, total: steps, message: `Step ${step}` },
    });
  }
}
