import { visibleDefinition, withoutInvisible } from '../../../lib/invisible.ts';
import { isRecord } from '../../../lib/json.ts';
import { failed, type Outcome } from '../../../lib/mcp/calls/outcome.ts';
import { schemaProblem } from '../../../lib/mcp/offer/tool-schema.ts';
import { fingerprint } from '../../../lib/trust/fingerprint.ts';
import type { CallOptions } from '../../../lib/types/tools/call-tool.ts';
import type { Tool } from '../../../lib/types/tools/server-tool.ts';
import type { SaidTool } from '../../../lib/types/tools/tool.ts';

/** Milliseconds that a call may take: a page's form may wait for the user to send it. */
const CALL_MS = 60_000;
/** Characters of what is said of a tool, and of its name. */
const MOST_DESCRIPTION = 2_000;
const MOST_TITLE = 200;
const MOST_NAME = 128;

/** A tool of what is open now, a page or an app, and how it is called there. `make` never rejects; `lost`: what offers it went away. */
export type LiveTool = {
  tool: Tool;
  make: (id: string, args: Record<string, unknown>) => Promise<Outcome | 'lost'>;
  cancel: (id: string) => void;
};

/** What offers the tool, and what the model does where a call of it may have been made. */
type Words = { offeredBy: 'page' | 'app'; check: string };

/**
 * As the row of a server's tool, in words that can be seen; undefined for one that no model can call. That it only reads is
 * believed of no page and no app; that it destroys is.
 * @param place whose it is, and what it is called there
 */
export function liveRow(
  { inputSchema = { type: 'object', properties: {} }, ...said }: SaidTool,
  place: (name: string) => Pick<Tool, 'serverId' | 'name' | 'offeredName'>,
): Tool | undefined {
  const name = seen(said.name, MOST_NAME);
  if (name === '' || !isRecord(inputSchema) || schemaProblem(inputSchema) !== undefined) return undefined;
  const title = seen(said.title, MOST_TITLE);
  const description = said.description.slice(0, MOST_DESCRIPTION);
  return {
    ...place(name),
    ...visibleDefinition({ description, inputSchema }),
    annotations: {
      ...(title !== '' && { title }),
      openWorldHint: true,
      ...(said.isConsequential && { destructiveHint: true }),
    },
    enabled: true,
    present: true,
  };
}

/** On one line. */
const seen = (text: string, most: number): string =>
  withoutInvisible(text).text.replaceAll(/\s+/g, ' ').trim().slice(0, most);

/**
 * Makes a call, once: that it was made is written down before what offers the tool is told.
 * @param judged the tool as it was when the call was found to be allowed; one that changed since is not called
 */
export async function callLive(
  found: LiveTool | undefined,
  judged: Tool,
  { toolName, args, words }: { toolName: string; args: Record<string, unknown>; words: Words },
  { started, signal }: Pick<CallOptions, 'started' | 'signal'>,
): Promise<Outcome> {
  const isSame = found && (await fingerprint(found.tool)) === (await fingerprint(judged));
  if (!isSame) return failed('error', notOffered(toolName, words));
  await started();
  if (signal.aborted) return failed('cancelled', `${toolName} was cancelled.`);
  const id = crypto.randomUUID();
  const over = AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]);
  const late = Promise.withResolvers<'over'>();
  const end = (): void => {
    late.resolve('over');
    found.cancel(id);
  };
  over.addEventListener('abort', end, { once: true });
  const outcome = await Promise.race([found.make(id, args), late.promise]);
  over.removeEventListener('abort', end);
  const mayBeDone = `It may have been done: ${words.check} before you call it again.`;
  if (outcome === 'lost')
    return failed('unknown', `The ${words.offeredBy} went away while ${toolName} ran. ${mayBeDone}`);
  if (outcome !== 'over') return outcome;
  return signal.aborted
    ? failed('cancelled', `${toolName} was cancelled. ${mayBeDone}`)
    : failed('timeout', `Tool execution timed out after ${CALL_MS}ms. ${mayBeDone}`);
}

/** That a call was not made, since its tool is gone. */
export const notOffered = (toolName: string, { offeredBy }: Pick<Words, 'offeredBy'>): string =>
  `${toolName} was not run: its ${offeredBy} does not offer it any more, or has changed it.`;
