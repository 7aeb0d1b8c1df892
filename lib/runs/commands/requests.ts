import { orAborted } from '../../agent/abort.ts';
import { AppError } from '../../errors.ts';
import type { Request } from '../../protocol/commands.ts';
import type { RunEvent } from '../../types/run.ts';
import type { AskedBy, FormContent, RequestAnswer, RequestBody, ServerRequest } from '../../types/request.ts';
import { type Context, requestsOf, timestamp } from '../context.ts';
import { t } from '../../../locales/texts/errors.ts';

/** Characters of JSON. */
const MAX_CONTENT = 200_000;

/** That wait in one conversation: a server that sends more is in a loop. */
const MAX_OPEN = 10;

const CANCELLED: RequestAnswer = { action: 'cancel' };

/** What a server wants of the user in the middle of a call. In memory only: it dies with the call's connection. */
export function createRequests(
  context: Context,
  /** What waits in a conversation is more, or less. Inside its lane. */
  changed: (conversationId: string) => Promise<void>,
) {
  const { deps, feed, lane, requests } = context;
  const answers = new Map<string, (answer: RequestAnswer) => void>();

  /**
   * Puts the request before the user. Aborting takes it away; it is cancelled then. Two at once are fine.
   * @throws AppError `too_many_requests`
   */
  async function ask(by: AskedBy, body: RequestBody, signal: AbortSignal): Promise<RequestAnswer> {
    if (signal.aborted) return CANCELLED;
    if (requestsOf(context, by.conversationId).length >= MAX_OPEN) throw tooMany(by.serverName);
    const request: ServerRequest = { ...body, ...by, id: deps.newId(), askedAt: timestamp(context) };
    const { promise, resolve } = Promise.withResolvers<RequestAnswer>();
    answers.set(request.id, resolve);
    requests.set(request.id, request); // at once, so that it counts for the next one
    deps.working(request.id, true); // the answer goes back over a connection that dies with the worker
    try {
      await opened(request);
      const given = await orAborted(promise, signal);
      return given === 'aborted' ? CANCELLED : given;
    } finally {
      answers.delete(request.id);
      deps.working(request.id, false);
      await closed(request);
    }
  }

  function opened(request: ServerRequest): Promise<void> {
    const { conversationId } = request;
    tell(conversationId);
    deps.event(conversationId, { type: 'server_request', request });
    return lane(conversationId, () => changed(conversationId));
  }

  async function closed({ id, conversationId }: ServerRequest): Promise<void> {
    if (!requests.delete(id)) return;
    tell(conversationId);
    deps.event(conversationId, { type: 'server_request_end' });
    await lane(conversationId, () => changed(conversationId));
  }

  function tell(conversationId: string): void {
    feed.changed(conversationId, { requests: requestsOf(context, conversationId) });
  }

  /**
   * Hands the user's answer to the server. One that comes too late changes nothing.
   * A page that was consented to is opened first (MCP, client/elicitation, "Safe URL Handling").
   * @throws AppError `bad_answer` when it is none; what opening throws: the request still waits
   */
  async function answer({ requestId, ...given }: Request<'answerRequest'>): Promise<void> {
    const [request, resolve] = [requests.get(requestId), answers.get(requestId)];
    if (!request || !resolve) return;
    const valid = validateAnswer(request, given);
    if (request.kind === 'url' && valid.action === 'accept' && !valid.isDone) {
      answers.delete(requestId); // opened once, however often that is pressed
      try {
        await deps.openPrivately(request.url);
      } catch (error) {
        answers.set(requestId, resolve);
        throw error;
      }
    }
    resolve(valid);
  }

  /** No panel is left that could answer what waits in the conversation. */
  function cancelAll(conversationId: string): void {
    for (const { id } of requestsOf(context, conversationId)) answers.get(id)?.(CANCELLED);
  }

  /** An elicitation ends with its call. */
  function follow(conversationId: string, event: RunEvent): void {
    if (event.type !== 'call_end' && event.type !== 'run_end') return;
    for (const { id, callId } of requestsOf(context, conversationId)) {
      const isOver = event.type === 'call_end' ? callId === event.callId : callId !== null;
      if (isOver) answers.get(id)?.(CANCELLED);
    }
  }

  return { ask, answer, cancelAll, follow };
}

function validateAnswer(request: ServerRequest, answer: RequestAnswer): RequestAnswer {
  if (!['accept', 'decline', 'cancel'].includes(answer.action)) throw badAnswer();
  if (answer.action !== 'accept') return { action: answer.action };
  const isDone = request.kind === 'url' && request.isOpened === true && answer.isDone === true;
  if (request.kind !== 'form') return { action: 'accept', ...(isDone && { isDone }) };
  const { content } = answer;
  if (content === undefined) return { action: 'accept' };
  if (!isContent(content)) throw badAnswer();
  return { action: 'accept', content };
}

function isContent(content: unknown): content is FormContent {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return false;
  return Object.values(content).every(isValue) && JSON.stringify(content).length <= MAX_CONTENT;
}

function isValue(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every((each) => typeof each === 'string');
  return typeof value === 'string' || typeof value === 'boolean';
}

function tooMany(serverName: string): AppError {
  return new AppError({
    code: 'too_many_requests',
    ...t(($) => $.errors.chat.tooManyRequests, { name: serverName, most: MAX_OPEN }),
  });
}

function badAnswer(): AppError {
  return new AppError({ code: 'bad_answer', ...t(($) => $.errors.chat.badAnswer, { most: MAX_CONTENT }) });
}
