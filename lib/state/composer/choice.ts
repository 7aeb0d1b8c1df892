import { BROWSER_MODEL } from '../../language-model.ts';
import type { Setup } from '../../protocol/setup.ts';
import type { AttachmentSummary } from '../../types/attachment.ts';
import type { ChatSettings, FoundModel, Traits } from '../../types/model.ts';
import type { Assistant, ChatChoice } from '../../types/conversation.ts';
import type { Provider } from '../../types/provider.ts';

/** Which model a chat asks, and how, in force: its provider exists. */
export type Choice = { provider: Provider; model: string; traits: Traits; settings: ChatSettings };

/**
 * Where a chat's messages go: its own choice, else that of new chats. `chat` is null for one that has not begun. Null
 * when there is no model to ask: a chat whose provider was removed does not go to another one unasked.
 */
export function choiceFor(setup: Setup | null, chat: ChatChoice | null): Choice | null {
  if (!setup) return null;
  const asked = chat ?? setup.newChat;
  const wanted = asked.providerId ?? setup.newChat.providerId;
  const provider = setup.providers.find(({ id }) => id === wanted);
  if (!provider) return null;
  // A model's name means nothing to another provider than the one that it was chosen with.
  const model = (provider.id === asked.providerId ? asked.model : null) ?? provider.model;
  return { provider, model, traits: traitsOf(setup, provider.id, model), settings: asked.settings };
}

/** True while there is no model but the scripted one, if that. */
export const lacksModel = ({ providers }: Setup): boolean =>
  providers.every(({ preset }) => preset === 'demo');

/** True when the provider that a chat asked is not there any more. */
export function providerRemoved(setup: Setup | null, chat: ChatChoice | null): boolean {
  const asked = chat?.providerId ?? null;
  return setup !== null && asked !== null && !setup.providers.some(({ id }) => id === asked);
}

function traitsOf(setup: Setup, providerId: number, model: string): Traits {
  return setup.models.find((row) => row.providerId === providerId && row.id === model)?.traits ?? {};
}

export type ModelGroup = { provider: Provider; models: FoundModel[] };

/** A provider with more models than this shows only its own first choice, until the user chose which to see. */
const FEW = 12;

/** Whether it answers a chat, as far as is known. */
export const chats = ({ traits }: Pick<FoundModel, 'traits'>): boolean => traits.chat !== false;

/**
 * What the model picker lists: every provider with those of its models that are shown, its own first choice first.
 * @param all the others too: those that were switched off, that are many, or that answer no chat
 */
export function modelGroups(setup: Setup | null, all = false): ModelGroup[] {
  return (setup?.providers ?? []).map((provider) => {
    const known = setup?.models.filter((row) => row.providerId === provider.id) ?? [];
    const own = known.find((row) => row.id === provider.model);
    const rows = known.filter((row) => row.present);
    const few = rows.filter(chats).length <= FEW;
    const others = rows.filter((row) => row !== own && (all || (row.shown ?? (few && chats(row)))));
    const first = own ?? { id: provider.model, traits: {} };
    const listed = own?.shown === false && !all ? others : [first, ...others];
    return { provider, models: listed.map(({ id, traits }) => ({ id, traits })) };
  });
}

/** Those entries that hold `query` in the model's or the provider's name; groups left empty go. */
export function filterGroups(groups: ModelGroup[], query: string): ModelGroup[] {
  const wanted = query.trim().toLowerCase();
  const holds = (text: string): boolean => text.toLowerCase().includes(wanted);
  return groups
    .map(({ provider, models }) => ({
      provider,
      models: holds(provider.name) ? models : models.filter(({ id }) => holds(id)),
    }))
    .filter(({ models }) => models.length > 0);
}

/**
 * The chat model to begin with: the newest by name of those that are preferred, else one that can use tools, and of
 * those the one that reads most.
 */
export function bestModel(models: FoundModel[], prefer?: RegExp): FoundModel | null {
  const chatModels = models.filter(chats);
  const preferred = prefer ? chatModels.filter(({ id }) => prefer.test(id)) : [];
  const better = (a: FoundModel, b: FoundModel): number =>
    Number(b.traits.tools ?? false) - Number(a.traits.tools ?? false) ||
    (b.traits.contextWindow ?? 0) - (a.traits.contextWindow ?? 0);
  return preferred.toSorted(byVersion)[0] ?? chatModels.toSorted(better)[0] ?? null;
}

/** The higher number first; a date at the end is none. */
function byVersion(a: FoundModel, b: FoundModel): number {
  const undated = ({ id }: FoundModel): string => id.replace(/-\d{4}-?\d{2}-?\d{2}$/, '');
  return undated(b).localeCompare(undated(a), 'en', { numeric: true });
}

/** The demo model (lib/models/demo/): only its provider's name says that it is a scripted stand-in. */
export const DEMO_MODEL = 'portside-demo';

/** What to call a provider's model: where there is one alone, what its provider is called says more. */
export function modelLabel(provider: Provider, model: string): string {
  return model === DEMO_MODEL || model === BROWSER_MODEL ? provider.name : model;
}

/** The assistant that asks exactly as `choice` does, if there is one. */
export function assistantOf(setup: Setup | null, choice: Choice): Assistant | null {
  const asked = (settings: ChatSettings): string =>
    JSON.stringify(Object.entries(settings).toSorted(([a], [b]) => a.localeCompare(b)));
  const same = ({ providerId, model, settings }: Assistant): boolean =>
    providerId === choice.provider.id &&
    (model ?? choice.provider.model) === choice.model &&
    asked(settings) === asked(choice.settings);
  return setup?.assistants.find(same) ?? null;
}

/**
 * A picture that is not sent, since the model is not known to see pictures. Of a model that the worker does not list
 * nothing is known here; of one that it lists the context window always is.
 */
export const isUnseen = ({ mimeType }: AttachmentSummary, { vision, contextWindow }: Traits): boolean =>
  vision !== true &&
  (vision === false || contextWindow !== undefined) &&
  mimeType?.startsWith('image/') === true;
