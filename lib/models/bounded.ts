import { limitedBody } from '../limited-body.ts';
import { ModelFailure } from './refusals/failure.ts';
import { t } from '../../locales/texts/errors.ts';

/** Bytes of a list of models, of a refusal, of what else is no answer. */
const MOST = 8 * 1024 * 1024;

/** The response, whose body breaks off with a ModelFailure `not_a_model` where it is longer than any that is meant. */
export const bounded = (response: Response): Response =>
  limitedBody(response, MOST, () => {
    const detail = t(($) => $.errors.models.replies.tooMuch);
    return new ModelFailure({ type: 'not_a_model', detail });
  });
