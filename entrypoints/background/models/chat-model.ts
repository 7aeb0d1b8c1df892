import type { Prepared } from '../../../lib/agent/deps.ts';
import { createStreamModel } from '../../../lib/models/stream-model.ts';
import { effectiveTraits, withoutSaid } from '../../../lib/models/discovery/traits.ts';
import { presets } from '../../../lib/provider-presets.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { modelRow } from '../../../lib/storage/configuration/models.ts';
import { loadNewChat } from '../../../lib/storage/configuration/new-chat.ts';
import type { ChatChoice } from '../../../lib/types/conversation.ts';
import type { Models } from './models.ts';
import { type Providers, requireAllowed } from './providers.ts';

/** The model that a chat asks, as far as a run needs to know it. */
export type ChatModel = Pick<
  Prepared,
  'model' | 'modelName' | 'callsTools' | 'contextWindow' | 'price' | 'system'
> & {
  /** It thinks before it answers, and takes a wish for how much. */
  reasons: boolean;
  /** It runs on this computer, as far as its preset tells. */
  isLocal: boolean;
};

type Stores = { db: Database; providers: Providers };

/** @throws AppError `no_provider`, `origin_not_granted` */
export async function chatModel(
  { db, providers, models }: Stores & { models: Models },
  choice: ChatChoice,
): Promise<ChatModel> {
  const { provider, modelName } = await chosenModel(providers, choice);
  const [address, row] = await Promise.all([
    providers.addressOf(provider),
    modelRow(db, provider.id, modelName),
  ]);
  const traits = effectiveTraits(row, provider.preset, modelName);
  const { settings } = choice;
  const learned = withoutSaid(row.learned, row.chosen);
  const learn = (now: typeof learned) => models.learn({ ...row, baseUrl: provider.baseUrl }, now);
  const ask = createStreamModel({ ...address, model: modelName, traits, settings, learned, learn });
  return {
    async *model(...request) {
      // A run may go on for hours, in which the provider may be removed, or forbidden.
      requireAllowed(await providers.providerFor({ ...choice, providerId: provider.id }));
      yield* ask(...request);
    },
    modelName,
    callsTools: traits.tools,
    reasons: traits.reasoning === true,
    isLocal: presets.some(({ id, local }) => id === provider.preset && local === true),
    contextWindow: traits.contextWindow,
    ...(traits.price && { price: traits.price }),
    ...(settings.system !== undefined && settings.system.trim() !== '' && { system: settings.system }),
  };
}

async function chosenModel(providers: Providers, choice: ChatChoice) {
  const provider = await providers.providerFor(choice);
  // The name belongs to the provider that was chosen with it.
  const own = provider.id === choice.providerId ? choice.model : null;
  return { provider, modelName: own ?? provider.model };
}

/** How many tokens a chat’s model reads; of one that has not begun that of new ones. @throws AppError `no_provider` */
export async function contextWindowOf({ db, providers }: Stores, conversationId: string): Promise<number> {
  const choice = (await db.get('conversations', conversationId)) ?? (await loadNewChat(db));
  const { provider, modelName } = await chosenModel(providers, choice);
  const row = await modelRow(db, provider.id, modelName);
  return effectiveTraits(row, provider.preset, modelName).contextWindow;
}
