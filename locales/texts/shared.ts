import english from '../en/shared.json' with { type: 'json' };
import { translator } from '../translate.ts';

/** The worker reads its English when it starts, like any other language (lib/speak-language.ts): its bundle would be too large. */
export const shared: object = import.meta.env?.ENTRYPOINT === 'background' ? {} : english;

/** Says what every context may: units, and names of Portside's own things. */
export const t = translator<Texts.Shared>({ shared });
