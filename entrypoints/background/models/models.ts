import { AppError } from '../../../lib/errors.ts';
import { answers, findLocalServers, LOCAL_ROOTS } from '../../../lib/models/discovery/local-servers.ts';
import { findModels } from '../../../lib/models/discovery/discovery.ts';
import { testModel } from '../../../lib/models/discovery/test-model.ts';
import { effectiveTraits, withoutSaid } from '../../../lib/models/discovery/traits.ts';
import type { Request } from '../../../lib/protocol/commands.ts';
import type { ModelSummary, ProviderProbe } from '../../../lib/protocol/setup.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { changeModel, modelRow, newModel, syncModels } from '../../../lib/storage/configuration/models.ts';
import type {
  FoundModel,
  Learned,
  LocalServer,
  ModelRow,
  ModelTest,
  PresetId,
} from '../../../lib/types/model.ts';
import { requireTraits } from '../chat/chat-input.ts';
import { requireText } from '../input.ts';
import type { OriginRule } from '../servers/origin-rule.ts';
import { isGranted } from '../browser/permissions.ts';
import type { Providers } from './providers.ts';
import { t } from '../../../locales/texts/errors.ts';

export type Models = ReturnType<typeof createModels>;

/** A model, and the address at which it was asked. */
type Asked = Pick<ModelRow, 'providerId' | 'id'> & { baseUrl: string };

/** The models of the user's providers: what they can do, and what was learnt of them. */
export function createModels(
  db: Database,
  {
    providers,
    origins,
    changed,
  }: { providers: Providers; origins: OriginRule; changed: () => Promise<void> },
) {
  async function refresh({ providerId }: { providerId: number }): Promise<{ count: number }> {
    const provider = await db.get('providers', providerId);
    if (!provider) throw new AppError({ code: 'no_provider', ...t(($) => $.errors.setup.noProvider) });
    const found = await findModels(await providers.addressOf(provider));
    await syncModels(db, providerId, found);
    await changed();
    return { count: found.length };
  }

  async function isUp({ providerId }: { providerId: number }): Promise<boolean> {
    const provider = await db.get('providers', providerId);
    return provider !== undefined && answers(provider.baseUrl);
  }

  async function list(request: ProviderProbe): Promise<FoundModel[]> {
    const address = await providers.probe(request);
    return origins.whileAsking([address.baseUrl], () => findModels(address));
  }

  async function test(request: ProviderProbe & { model: string }): Promise<ModelTest> {
    const id = requireText(request.model, 'model');
    const address = await providers.probe(request);
    const provider =
      request.providerId === undefined ? undefined : await db.get('providers', request.providerId);
    // What is known of a saved model does not hold for one of the same name elsewhere.
    const known =
      provider?.baseUrl === address.baseUrl ? await modelRow(db, provider.id, id) : newModel(0, id);
    const traits = effectiveTraits(known, address.preset, id);
    const { learned } = known;
    const remember = provider && known.providerId === provider.id;
    const result = await origins.whileAsking([address.baseUrl], () =>
      testModel({
        ...address,
        model: id,
        traits,
        settings: {},
        learned,
        ...(remember && { learn: (now) => learn({ ...known, baseUrl: address.baseUrl }, now) }),
      }),
    );
    if (remember && !result.error) {
      // What was refused has been learnt already, and can be forgotten.
      const seen = { ...(result.calledTool && { tools: true }), ...(result.reasoned && { reasoning: true }) };
      await change(provider.id, id, (row) => ({ ...row, found: { ...row.found, ...seen } }));
    }
    return result;
  }

  /** Remembers what a refusal taught about a model at an address. The caller does not wait for it. */
  function learn(asked: Asked, learned: Learned): void {
    store(asked, learned).catch((error: unknown) =>
      console.warn('What a refusal taught could not be stored.', error),
    );
  }

  async function store({ providerId, id, baseUrl }: Asked, learned: Learned): Promise<void> {
    const provider = await db.get('providers', providerId);
    if (provider?.baseUrl !== baseUrl) return; // another server stands there by now
    await change(providerId, id, (row) => ({ ...row, learned: mergeLearned(row.learned, learned) }));
  }

  async function change(providerId: number, id: string, to: (row: ModelRow) => ModelRow): Promise<void> {
    if (await changeModel(db, providerId, id, to)) await changed();
  }

  async function set({ providerId, id, ...said }: Request<'setModel'>): Promise<void> {
    const chosen = said.chosen && requireTraits(said.chosen);
    const shown = typeof said.shown === 'boolean' ? { shown: said.shown } : {};
    await change(providerId, requireText(id, 'model'), (row) => ({
      ...row,
      ...(chosen && { chosen, learned: withoutSaid(row.learned, chosen) }),
      ...(said.forget === true && { learned: {} }),
      ...shown,
    }));
  }

  function findLocal(): Promise<LocalServer[]> {
    return origins.whileAsking(LOCAL_ROOTS, () => findLocalServers({ readable: isGranted }));
  }

  return { refresh, answers: isUp, list, test, set, findLocal, learn };
}

/** For a page, with what holds. @param preset of the model's provider */
export function modelSummary(row: ModelRow, preset: PresetId): ModelSummary {
  return { ...row, traits: effectiveTraits(row, preset, row.id) };
}

/** Two runs may learn different things of one model; what it can do is as was seen last. */
function mergeLearned(before: Learned, now: Learned): Learned {
  const dropped = [...new Set([...(before.dropped ?? []), ...(now.dropped ?? [])])];
  const traits = { ...before.traits, ...now.traits };
  return {
    ...now,
    ...(dropped.length > 0 && { dropped }),
    ...(Object.keys(traits).length > 0 && { traits }),
    renamed: { ...before.renamed, ...now.renamed },
    quirks: { ...before.quirks, ...now.quirks },
  };
}
