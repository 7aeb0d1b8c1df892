import { AppError } from '../../lib/errors.ts';
import { listModels } from '../../lib/models/discovery.ts';
import { createStreamModel } from '../../lib/models/stream.ts';
import type { Commands, ProviderInput } from '../../lib/protocol.ts';
import type { Database } from '../../lib/storage/database.ts';
import { deleteProvider, providerKey, putProvider } from '../../lib/storage/providers.ts';
import { loadDefaultProvider, saveDefaultProvider } from '../../lib/storage/settings.ts';
import type { StreamModel } from '../../lib/types.ts';
import { requireHttpUrl, requireOwnSecret, requireText } from './input.ts';
import { requireOrigin } from './permissions.ts';

/** The person's providers: saving, choosing, and the model that a conversation uses. */
export function createProviders(db: Database, changed: () => Promise<void>) {
  async function save(input: ProviderInput): Promise<{ id: number }> {
    const name = requireText(input.name, 'Name');
    const model = requireText(input.model, 'Model');
    const baseUrl = requireHttpUrl(input.baseUrl, 'Base URL').replace(/\/+$/, '');
    const before = input.id === undefined ? undefined : await db.get('providers', input.id);
    if (before?.hasKey && input.apiKey === undefined) requireOwnSecret(before.baseUrl, baseUrl, 'key');
    const id = await putProvider(db, { ...input, name, model, baseUrl });
    if ((await loadDefaultProvider(db)) === null) await saveDefaultProvider(db, id);
    await changed();
    return { id };
  }

  async function remove({ id }: { id: number }): Promise<void> {
    await deleteProvider(db, id);
    const [next] = await db.getAllKeys('providers');
    if ((await loadDefaultProvider(db)) === id && next !== undefined) await saveDefaultProvider(db, next);
    await changed();
  }

  async function models({ baseUrl, apiKey, providerId }: Parameters<Commands['listModels']>[0]) {
    const url = requireHttpUrl(baseUrl, 'Base URL');
    await requireOrigin(url);
    const key = apiKey ?? (await storedKey(providerId, url));
    return listModels({ baseUrl: url, ...(key !== undefined && { apiKey: key }) });
  }

  /** The provider's stored key, if `url` is where it belongs. */
  async function storedKey(providerId: number | undefined, url: string): Promise<string | undefined> {
    const provider = providerId === undefined ? undefined : await db.get('providers', providerId);
    if (!provider?.hasKey) return undefined;
    requireOwnSecret(provider.baseUrl, url, 'key');
    return providerKey(db, provider.id);
  }

  /** The provider of the conversation, or of new chats when its own is gone. */
  async function modelFor(conversationId: string): Promise<StreamModel> {
    const conversation = await db.get('conversations', conversationId);
    const ids = [conversation?.providerId ?? null, await loadDefaultProvider(db)];
    const found = await Promise.all(ids.map((id) => (id === null ? undefined : db.get('providers', id))));
    const provider = found.find((each) => each !== undefined);
    if (!provider) {
      throw new AppError({
        code: 'no_provider',
        message: 'No model is set up yet.',
        fix: 'Open Models and add one; your message is saved. Then press Retry.',
      });
    }
    await requireOrigin(provider.baseUrl);
    const apiKey = await providerKey(db, provider.id);
    const { baseUrl, model } = provider;
    return createStreamModel({ baseUrl, model, ...(apiKey !== undefined && { apiKey }) });
  }

  return { save, remove, models, modelFor };
}
