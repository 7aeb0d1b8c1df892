import shared from '../en/shared.json' with { type: 'json' };
import worker from '../en/worker.json' with { type: 'json' };
import { translator } from '../translate.ts';
import { errors } from './english-errors.ts';

/** Says what the service worker shows in the browser's own places. */
export const t = translator<Texts.Worker & Texts.Errors & Texts.Shared>({ worker, errors, shared });
