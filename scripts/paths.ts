import { fileURLToPath } from 'node:url';

/** The checkout, with a trailing separator. */
export const root = fileURLToPath(new URL('..', import.meta.url));
