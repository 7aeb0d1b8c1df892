import { AppError } from '../../../lib/errors.ts';
import { costOf } from '../../../lib/agent/context/cost.ts';
import { sample } from '../../../lib/models/sampling.ts';
import type { RequestChannel } from '../../../lib/runs/deps.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { loadNewChat } from '../../../lib/storage/configuration/new-chat.ts';
import type { AskedBy, Elicit, Sampled, SamplingRequest } from '../../../lib/types/request.ts';
import { chatModel } from '../models/chat-model.ts';
import { type Usage, withUsage } from '../../../lib/types/message.ts';
import type { Models } from '../models/models.ts';
import type { Providers } from '../models/providers.ts';

/** Of one call. A server that asks more often is in a loop, at the user's expense. */
const MAX_SAMPLINGS = 10;

type SamplingDeps = { db: Database; providers: Providers; models: Models };

/**
 * What servers ask in the middle of a call. Everything goes to the user; a sampling request that they accept is then
 * answered by the conversation's model (spec 2025-11-25, client/sampling).
 * @returns for one call, or one fetch of a prompt or a resource, the `Elicit` that its connection gets
 */
export function createSampling(deps: SamplingDeps): (by: AskedBy, channel: RequestChannel) => Elicit {
  return (by, { ask, change }) => {
    let samplings = 0;
    return async (body, signal) => {
      if (body.kind !== 'sampling') return ask(by, body, signal);
      if (++samplings > MAX_SAMPLINGS)
        throw refusal(`At most ${MAX_SAMPLINGS} sampling requests are taken in one call.`);
      const answer = await ask(by, body, signal);
      if (answer.action !== 'accept') return answer;
      try {
        return { action: 'accept', sampled: await answered({ ...deps, change }, by, body.sampling, signal) };
      } catch (error) {
        if (signal.aborted) return { action: 'cancel' };
        throw forServer(error);
      }
    };
  };
}

async function answered(
  { db, providers, models, change }: SamplingDeps & Pick<RequestChannel, 'change'>,
  { conversationId }: AskedBy,
  request: SamplingRequest,
  signal: AbortSignal,
): Promise<Sampled> {
  const choice = (await db.get('conversations', conversationId)) ?? (await loadNewChat(db));
  const { model, modelName, callsTools, contextWindow, price } = await chatModel(
    { db, providers, models },
    choice,
  );
  if (request.tools.length > 0 && !callsTools) throw refusal('The model of this chat calls no tools.');
  const { reasoningEffort } = choice.settings;
  // What is asked needs room too. A model that is known to write less is asked for no more than that.
  const maxTokens = Math.floor(contextWindow / 2);
  const onUsage = (usage: Usage): void => {
    const counted = change(conversationId, (before) => {
      const total = withUsage(before.usage, { usage, ...costOf(usage, price) });
      return { ...before, ...(total && { usage: total }) };
    });
    counted.catch((error: unknown) => console.warn('What a sampling request took was not counted.', error));
  };
  const options = { model, modelName, maxTokens, onUsage, reasoningEffort };
  return sample(options, request, signal);
}

/** Not in the words of the failure: they may hold addresses and keys, which are no server's business. */
function forServer(error: unknown): AppError {
  if (error instanceof AppError && error.code === REFUSED) return error;
  console.warn(
    'The model could not answer a sampling request.',
    error instanceof AppError ? error.message : error,
  );
  const mayPass = error instanceof AppError && error.retryable;
  return refusal(`The model of this chat could not answer.${mayPass ? ' Trying again may help.' : ''}`);
}

const REFUSED = 'sampling_refused';

const refusal = (message: string): AppError =>
  new AppError({ code: REFUSED, message, fix: 'Go on without the model’s answer, or ask again later.' });
