import { AppError, toWire } from '../../errors.ts';
import type { Request } from '../../protocol/commands.ts';
import type { WireError } from '../../types/error.ts';
import type { RequestAnswer } from '../../types/request.ts';
import type { WorkerLink } from '../panel-port.ts';
import type { KeptAnswers } from '../composer/kept-answers.ts';
import type { ConversationView } from './conversation-view.ts';

/** The user's answer to a waiting call. */
export type CallAnswer = Omit<Request<'resolveCall'>, 'callId'>;

/** Answers to what waits for the user. */
export function createAnswering(
  link: WorkerLink,
  { use, error, command }: Pick<ConversationView, 'use' | 'error' | 'command'>,
  answers: KeptAnswers,
) {
  /** What the worker has against edited arguments; null when the answer was taken, or `error` says why not. */
  async function resolveCall(callId: string, answer: CallAnswer): Promise<WireError | null> {
    use();
    try {
      await link.send('resolveCall', { callId, ...answer });
    } catch (failure) {
      const told = toWire(failure);
      if (failure instanceof AppError && failure.code === 'bad_arguments') return told;
      error.value = told;
    }
    return null;
  }

  /** The user's answer to a server's request. False when the worker did not take it. */
  async function answerRequest(requestId: string, answer: RequestAnswer): Promise<boolean> {
    const taken = (await command('answerRequest', { requestId, ...answer })) !== undefined;
    if (taken) answers.forget(requestId);
    return taken;
  }

  return { resolveCall, answerRequest };
}
