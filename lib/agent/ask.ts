import type { Message } from '../types/message.ts';
import { isNearlyFull, requestTokens } from './context/budget.ts';
import type { ReadyContext } from './deps.ts';
import { fitResults } from './context/fit-results.ts';
import { withRetries } from './retry.ts';
import { type Summarised, summarise } from './context/summary.ts';
import { sourcesIn, streamTurn, type TurnEnd } from './turn.ts';

/** How asking ended, and the branch that the message follows, which may have got a summary. */
export type Asked = TurnEnd & { history: Message[] };

/**
 * One iteration's request to the model: made to fit the context, repeated when it fails in a way that may pass, and
 * once more when the server finds it too long: with a summary, or, where there is nothing to summarise, with half of
 * the newest results.
 */
export async function askModel(
  context: ReadyContext,
  history: Message[],
  iteration: number,
  messageId: string,
): Promise<Asked> {
  const { prepared, deps, signal, emit } = context;
  const fitting = await fit(context, history);
  if (fitting.error || signal.aborted) return fitting;

  let asked = fitting.history;
  let halves = 0;
  const request = async (): Promise<TurnEnd> => {
    const { maxIterations } = deps;
    await emit({ type: 'iteration_start', iteration, maxIterations, messageId, ...sourcesIn(prepared) });
    return streamTurn(context, asked, messageId, halves);
  };
  const turn = await withRetries(context, messageId, request);
  if (turn.error?.code !== 'model_too_long' || signal.aborted) return { ...turn, history: asked };

  // How much the model reads is not known then, only that it is less than this.
  const shorter = await summarise(context, asked, tokensSent(context, asked) / 2);
  if (shorter.history !== asked) asked = shorter.history;
  else if (asked.some(({ role }) => role === 'tool') && !signal.aborted) halves = 1;
  else return { ...turn, history: asked };
  return { ...(await withRetries(context, messageId, request)), history: asked };
}

/** Summarises the older part when the context is nearly full. Failing at that is fatal only if nothing else can work. */
async function fit(context: ReadyContext, history: Message[]): Promise<Summarised> {
  const { prepared } = context;
  const tokens = tokensSent(context, history);
  if (!isNearlyFull(tokens, prepared)) return { history };
  const end = await summarise(context, history, prepared.contextWindow);
  return tokens > prepared.contextWindow ? end : { history: end.history };
}

/** The estimate of what is sent of this branch. */
function tokensSent({ prepared }: ReadyContext, history: Message[]): number {
  return requestTokens(prepared, fitResults(history, prepared.contextWindow));
}
