import english from '../en/worker.json' with { type: 'json' };
import { translator } from '../translate.ts';
import { errors } from './english-errors.ts';
import { shared } from './shared.ts';

/** As `shared`. */
const worker: object = import.meta.env?.ENTRYPOINT === 'background' ? {} : english;

/** Says what the service worker shows in the browser's own places. */
export const t = translator<Texts.Worker & Texts.Errors & Texts.Shared>({ worker, errors, shared });
