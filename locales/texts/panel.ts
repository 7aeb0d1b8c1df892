import panel from '../en/panel.json' with { type: 'json' };
import shared from '../en/shared.json' with { type: 'json' };
import { translator } from '../translate.ts';

/** Says what the side panel shows. */
export const t = translator<Texts.Panel & Texts.Shared>({ panel, shared });
