import { sentencesOf, toWire } from '../../../lib/errors.ts';

/**
 * What the worker answered, or null when it refused because a stored key or header belongs to another address:
 * `show` then gets that in words, for the field where another one can be typed. @throws any other failure
 */
export async function orSecretFault<T>(answer: Promise<T>, show: (words: string) => void): Promise<T | null> {
  try {
    return await answer;
  } catch (failure) {
    const error = toWire(failure);
    if (error.code !== 'secret_for_other_address') throw failure;
    show(sentencesOf(error));
    return null;
  }
}
