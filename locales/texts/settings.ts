import errors from '../en/errors.json' with { type: 'json' };
import panel from '../en/panel.json' with { type: 'json' };
import settings from '../en/settings.json' with { type: 'json' };
import shared from '../en/shared.json' with { type: 'json' };
import { translator } from '../translate.ts';

/** Says what the settings show, which have views of the panel too. */
export const t = translator<Texts.Settings & Texts.Panel & Texts.Errors & Texts.Shared>({
  settings,
  panel,
  errors,
  shared,
});
