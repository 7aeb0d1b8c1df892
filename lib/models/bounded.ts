import { ModelFailure } from './refusals/failure.ts';
import { t } from '../../locales/texts/errors.ts';

/** Bytes of a list of models, of a refusal, of what else is no answer. */
const MOST = 8 * 1024 * 1024;

/** The response, whose body breaks off with a ModelFailure `not_a_model` where it is longer than any that is meant. */
export function bounded(response: Response): Response {
  if (!response.body) return response;
  let size = 0;
  const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, controller) {
      size += piece.length;
      if (size <= MOST) return controller.enqueue(piece);
      const detail = t(($) => $.errors.models.replies.tooMuch);
      controller.error(new ModelFailure({ type: 'not_a_model', detail }));
    },
  });
  return new Response(response.body.pipeThrough(count), response);
}
