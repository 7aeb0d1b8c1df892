import { options } from './options.ts';
import { panel } from './panel.ts';
import { units } from './units.ts';

/** Every string a person reads, in English. Functions take what varies. */
export const en = { ...panel, ...options, ...units };
