import { translator } from '../translate.ts';
import { errors } from './english-errors.ts';
import { shared } from './shared.ts';

/** Says what went wrong and what to do then; the panel shows what the worker says, and goes without. */
export const t = translator<Texts.Errors & Texts.Shared>({ errors, shared });
