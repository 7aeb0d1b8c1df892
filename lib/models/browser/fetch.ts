import { eventLine, eventStream, readRequest, refusal } from '../reply/write-reply.ts';
import type { Asked, Told } from './messages.ts';

/** Asks the document; what was asked ends with the signal. */
export type AskModel = (asked: Asked, signal: AbortSignal) => AsyncGenerator<Told>;

/**
 * Answers requests as a server would whose models are in a document, which `ask` reaches. Nothing goes over a network,
 * whatever the address.
 */
export function createInnerFetch(ask: AskModel): typeof fetch {
  return async (input, init) => {
    const asked = readRequest(input, init);
    if (asked.type === 'unknown')
      return refusal(404, { message: `A model in the browser has no ${asked.route}.` });
    const telling = ask(asked, init?.signal ?? new AbortController().signal);
    const first = await telling.next();
    if (first.done === true) return refusal(500, { message: 'It said nothing.' });
    if (first.value.type === 'models') {
      await telling.return(undefined);
      return Response.json({ object: 'list', data: first.value.list });
    }
    if (first.value.type === 'refused') {
      await telling.return(undefined);
      return refusal(first.value.status, first.value.error);
    }
    return eventStream(linesOf(first.value, telling));
  };
}

async function* linesOf(first: Told, rest: AsyncIterable<Told>): AsyncGenerator<string> {
  yield lineOf(first);
  for await (const told of rest) yield lineOf(told);
  yield eventLine('[DONE]');
}

function lineOf(told: Told): string {
  if (told.type === 'chunk') return eventLine(told.chunk);
  // Within a reply an error says which status it would have been, as OpenRouter's do.
  if (told.type === 'refused') return eventLine({ error: { ...told.error, status: told.status } });
  return ': alive\n\n';
}
