import * as chatErrors from '../../locales/errors/chat.ts';

/** The sentence for people that ends the answer of a run which has used up its iterations. */
export function limitWarning(maxIterations: number): string {
  return chatErrors.limit(maxIterations);
}
