import { composer } from './composer.ts';
import { history } from './history.ts';
import { markdown } from './markdown.ts';
import { messages } from './messages.ts';
import { panel } from './panel.ts';
import { status } from './status.ts';
import { tools } from './tools.ts';
import { units } from './units.ts';

/** Every string a person reads in the panel while they chat, in English. Functions take what varies. */
export const en = {
  ...panel,
  ...tools,
  ...status,
  ...units,
  ...composer,
  ...history,
  ...messages,
  ...markdown,
};
