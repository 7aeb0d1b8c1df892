import { visible } from '../../../lib/state/shown-text.ts';

const SIGN = '⏎';

/**
 * What is handed to a program, for a user who is to agree to it: a line end is a sign, which would else look like a
 * space, and nothing else is that sign.
 */
export const inOneLine = (text: string): string =>
  visible(text.replaceAll(SIGN, '\\u23ce')).replaceAll(/\r?\n/g, SIGN);
