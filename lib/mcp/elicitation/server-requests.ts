import {
  type Client,
  ProtocolError,
  ProtocolErrorCode,
  RELATED_TASK_META_KEY,
  SdkError,
  SdkErrorCode,
} from '@modelcontextprotocol/client';
import { AppError } from '../../errors.ts';
import type { Elicit, Fulfilled, RequestBody, SamplingContent } from '../../types/request.ts';
import { formExcess, samplingExcess } from './bounds.ts';
import { fillIn } from './form-answer.ts';
import { isRecord, recordOf } from '../../json.ts';
import { anyObject, cut, isText, type Raw } from '../content/raw.ts';
import { TASKS_EXTENSION } from '../tasks/task.ts';
import { toSamplingRequest, toSamplingResult } from './sampling.ts';

/**
 * What a client must declare (`capabilities` of its options) before `answerServerRequests`. No `roots`: Portside has no
 * folders to show.
 */
export const REQUEST_CAPABILITIES = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  extensions: { [TASKS_EXTENSION]: {} },
};

/** What servers expect when the user declines (MCP 2025-11-25, client/sampling, "Error Handling"). */
export const REJECTED = -1;
const MOST_MESSAGE = 10_000;
const MOST_URL = 10_000;
const MOST_ID = 1_000;
/** Pages that a user is asked to visit for one call. */
const MOST_URLS = 5;

/**
 * Answers `elicitation/create` and `sampling/createMessage`, be it as requests of their own (up to 2025-11-25) or in an
 * `input_required` result (2026-07-28), which the client brings to the same handlers. `elicitOf` finds the
 * request that they belong to by the handler's context (`ctx.mcpReq`); undefined: there is none.
 */
export function answerServerRequests(client: Client, elicitOf: (ctx: unknown) => Elicit | undefined): void {
  for (const method of ['elicitation/create', 'sampling/createMessage'] as const) {
    client.setRequestHandler(method, { params: anyObject }, async (params, ctx) => ({
      ...(await answerRequest({ method, params }, elicitOf(ctx), ctx.mcpReq.signal)),
      ...relatedTask(params),
    }));
  }
}

/** An answer names the task that its request named (MCP 2025-11-25, basic/utilities/tasks, "Associating Task-Related Messages"). */
function relatedTask({ _meta: meta }: Raw): Raw {
  const task = isRecord(meta) ? meta[RELATED_TASK_META_KEY] : undefined;
  return task === undefined ? {} : { _meta: { [RELATED_TASK_META_KEY]: task } };
}

/**
 * Answers one of them, be it of a call or of a task, which names its requests where it is asked for (SEP-2663).
 * @throws ProtocolError or SdkError when no user can be asked
 */
export async function answerRequest(
  request: unknown,
  elicit: Elicit | undefined,
  signal: AbortSignal,
): Promise<Raw> {
  const { method, params: given } = recordOf(request);
  const params = recordOf(given);
  if (method === 'sampling/createMessage') return elicitSampling(params, elicit, signal);
  if (method !== 'elicitation/create')
    throw new SdkError(SdkErrorCode.CapabilityNotSupported, `Unknown request: ${cut(method, 100)}`);
  return params['mode'] === 'url' ? elicitVisit(params, elicit, signal) : elicitForm(params, elicit, signal);
}

/**
 * The pages that a server wants visited before it carries out what it refused with this error (-32042, MCP 2025-11-25,
 * client/elicitation, "URL Elicitation Required Error"); empty for any other error. Once all are accepted the request
 * may be made again.
 */
export function urlRequests(error: unknown): Extract<RequestBody, { kind: 'url' }>[] {
  if (!(error instanceof ProtocolError) || error.code !== ProtocolErrorCode.UrlElicitationRequired) return [];
  const listed = isRecord(error.data) ? error.data['elicitations'] : undefined;
  if (!Array.isArray(listed)) return [];
  const requests = listed
    .filter(isRecord)
    .filter(({ mode }) => mode === undefined || mode === 'url')
    .map(toUrlRequest)
    .filter((request) => request !== undefined);
  const urls = new Map(requests.map((request) => [request.url, request]));
  return [...urls.values()].slice(0, MOST_URLS);
}

async function elicitVisit(params: Raw, elicit: Elicit | undefined, signal: AbortSignal): Promise<Raw> {
  const request = toUrlRequest(params);
  if (!request) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Only http and https addresses can be visited.');
  }
  const { action } = await fulfil(elicit, request, signal);
  return { action };
}

async function elicitForm(params: Raw, elicit: Elicit | undefined, signal: AbortSignal): Promise<Raw> {
  const schema = recordOf(params['requestedSchema']);
  refuseIf(formExcess(schema));
  // The client drops it from the answer.
  if (isRecord(schema['properties']) && Object.hasOwn(schema['properties'], '__proto__'))
    throw refusal('A field with the name __proto__ can’t be answered.');
  const message = cut(params['message'], MOST_MESSAGE);
  const answer = await fulfil(elicit, { kind: 'form', message, schema }, signal);
  if (answer.action !== 'accept') return { action: answer.action };
  const { content, problem } = fillIn(schema, 'content' in answer ? answer.content : undefined);
  if (problem !== undefined) throw new ProtocolError(ProtocolErrorCode.InternalError, problem);
  return { action: 'accept', content };
}

/** A user who can't be asked, or asked no longer, has neither accepted nor declined. */
async function fulfil(
  elicit: Elicit | undefined,
  request: RequestBody,
  signal: AbortSignal,
): Promise<Fulfilled> {
  if (!elicit) return { action: 'cancel' };
  try {
    return await elicit(request, signal);
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_many_requests') throw refusal(errorWords(error));
    if (error instanceof AppError || signal.aborted) return { action: 'cancel' };
    throw error;
  }
}

async function elicitSampling(params: Raw, elicit: Elicit | undefined, signal: AbortSignal): Promise<Raw> {
  if (!elicit) throw new ProtocolError(REJECTED, 'No user is there to approve the sampling request');
  refuseIf(samplingExcess(params));
  if (typeof params['maxTokens'] === 'number' && params['maxTokens'] < 1)
    throw refusal('An answer of less than one token is none: maxTokens must be at least 1.');
  const sampling = toSamplingRequest(params);
  const isSaid = (part: SamplingContent): boolean => part.type !== 'text' || part.text.trim() !== '';
  if (!sampling.messages.some(({ content }) => content.some(isSaid)))
    throw refusal('There is no message for a model to answer.');
  const answer = await elicit({ kind: 'sampling', sampling }, signal).catch((error: unknown) => {
    throw error instanceof AppError
      ? new ProtocolError(ProtocolErrorCode.InternalError, error.message)
      : error;
  });
  if (answer.action !== 'accept') throw new ProtocolError(REJECTED, 'User rejected sampling request');
  if (!('sampled' in answer)) {
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'The model gave no answer.');
  }
  return toSamplingResult(answer.sampled, sampling.tools.length > 0 || sampling.toolChoice !== undefined);
}

/** A server asked one thing after another that had to be refused. */
export class EndlessError extends ProtocolError {
  constructor(words: string) {
    super(ProtocolErrorCode.InvalidParams, words);
  }
}

const refusals = new WeakSet<ProtocolError>();

/** Whether a request of the server's was refused here by itself; from 2026-07-28 on that ends the call that it came in. */
export function isRefusal(error: ProtocolError): boolean {
  return refusals.has(error);
}

/** The client refuses what does not fit its schemas before it is read here. */
export function markRefusal(error: ProtocolError): void {
  refusals.add(error);
}

/** Why a user can't be asked, in words. */
export function refusal(words: string): ProtocolError {
  const error = new ProtocolError(ProtocolErrorCode.InvalidParams, words);
  markRefusal(error);
  return error;
}

/** @throws ProtocolError */
function refuseIf(excess: string | undefined): void {
  if (excess !== undefined) throw refusal(`More than a user can be asked: ${excess}.`);
}

const errorWords = ({ message, detail }: AppError): string => [message, detail].filter(Boolean).join(' ');

function toUrlRequest(params: Raw): Extract<RequestBody, { kind: 'url' }> | undefined {
  const { url, elicitationId } = params;
  if (!isText(url) || url.length > MOST_URL || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return undefined;
  return {
    kind: 'url',
    message: cut(params['message'], MOST_MESSAGE),
    // As the browser will read it, so that what is shown is where it leads.
    url: new URL(url).href,
    ...(isText(elicitationId) && elicitationId.length <= MOST_ID && { elicitationId }),
  };
}
