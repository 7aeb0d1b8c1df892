import { chatSettings } from './chat-settings.ts';
import { chatTools } from './chat-tools.ts';
import { en as early } from './en.ts';
import { firstRun } from './first-run.ts';
import { json } from './json.ts';
import { pages } from './page.ts';
import { requests } from './requests.ts';
import { shortcuts } from './shortcuts.ts';

/** The strings of views that come when they are first opened (components/ui/lazy.tsx), and all of the panel's. */
export const en = {
  ...early,
  ...requests,
  ...chatTools,
  ...chatSettings,
  ...shortcuts,
  ...json,
  ...pages,
  firstRun,
};
