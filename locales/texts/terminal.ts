import errors from '../en/errors.json' with { type: 'json' };
import shared from '../en/shared.json' with { type: 'json' };
import terminal from '../en/terminal.json' with { type: 'json' };
import { translator } from '../translate.ts';

/** Says what the native host's commands write. */
export const t = translator<Texts.Terminal & Texts.Errors & Texts.Shared>({ terminal, errors, shared });
