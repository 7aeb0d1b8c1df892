import type { Intent } from '../../protocol/attached.ts';
import type { Attaching } from './attaching.ts';
import type { OfferMenu } from './offer-menu.ts';
import type { PagePart } from '../../types/page.ts';
import type { Settings } from '../../types/settings.ts';
import { STARTERS } from '../../types/starter.ts';
import { starterOf } from './starters.ts';
import { filledPrompt, promptVariables } from './saved-prompts.ts';
import type { Sending } from './sending.ts';
import type { ConversationView } from '../chat/conversation-view.ts';
import { t } from '../../../locales/texts/panel.ts';

export type IntentDeps = {
  command: ConversationView['command'];
  /** Shows a chat that has not begun. */
  showNew: () => void;
  type: (text: string) => void;
  sendNew: Sending['sendNew'];
  attaching: Pick<Attaching, 'attachPage' | 'add'>;
  menu: Pick<OfferMenu, 'choose'>;
  starters: Settings['starters'];
};

/**
 * Asks what was left to be asked, in a chat of its own, or puts it into the composer: that of a page that can't be read
 * too. @returns false when the intent could not be ended
 */
export async function takeIntent(intent: Intent, deps: IntentDeps): Promise<boolean> {
  const text = textOf(intent, deps.starters);
  const isWhole = intent.entry === undefined || promptVariables(text).length === 0;
  if (intent.asks && isWhole && text !== '' && (await askIntent(intent, text, deps)))
    return end(intent, deps);
  // Before it is shown, so that it isn't shown twice.
  if (!(await end(intent, deps))) return false;
  deps.showNew();
  if (!isWhole) void deps.menu.choose({ type: 'saved', id: '', prompt: { id: 0, name: '', text } });
  else if (text !== '') deps.type(text);
  const { page } = intent;
  if (page) void deps.attaching.attachPage({ ...page, title: t(($) => $.pages.parts[page.part]) });
  return true;
}

/** Whatever of it was done before is not done again: its ids are always the same. */
async function askIntent({ id, page }: Intent, text: string, deps: IntentDeps): Promise<boolean> {
  const read = page && (await deps.command('attachPage', { ...page, conversationId: id }));
  if (page && !read) return false;
  const attached = read ? [read.reply] : [];
  const attachments = attached.map((each) => each.id);
  const message = { id: `${id}-question`, text, ...(read && { attachments }) };
  deps.showNew(); // its draft stays where it is stored
  if (!(await deps.sendNew({ conversationId: id, runId: id, message }))) {
    deps.type(text);
    deps.attaching.add(attached);
  }
  return true;
}

const end = async ({ id }: Intent, { command }: IntentDeps): Promise<boolean> =>
  (await command('endIntent', { id })) !== undefined;

/** What a saved prompt wants to know and the page tells goes along as an attachment: the text only says so. */
function textOf({ entry = '', text, asks, page }: Intent, starters: Settings['starters']): string {
  if (text !== undefined) return page ? filledPrompt(text, variablesOf(page.part)) : text;
  const isOpen = !asks && entry.endsWith('ask');
  return isOpen ? '' : questionOf(entry, starters);
}

function variablesOf(part: PagePart): Record<string, string> {
  const variables: Partial<Record<PagePart, Record<string, string>>> = t(($) => $.pages.variables);
  return variables[part] ?? {};
}

/** What an entry of the context menus asks of what goes along. */
function questionOf(entry: string, starters: Settings['starters']): string {
  const starter = STARTERS.find((id) => entry.endsWith(`-${id}`) && !entry.startsWith('editable'));
  if (starter) return starterOf(starter, starters).text;
  const questions: Record<string, string> = t(($) => $.questions);
  return Object.hasOwn(questions, entry) ? (questions[entry] ?? '') : '';
}
