import shared from '../en/shared.json' with { type: 'json' };
import { translator } from '../translate.ts';

/** Says what every context may: units, and names of Portside's own things. */
export const t = translator<Texts.Shared>({ shared });
