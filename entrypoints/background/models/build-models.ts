import type { Core } from '../core.ts';
import { createInnerModels } from './browser-model.ts';
import { createModels } from './models.ts';
import { createProviders } from './providers.ts';

export type ModelParts = ReturnType<typeof buildModels>;

export function buildModels({ db, emit, setupChanged, offscreen, origins }: Core) {
  const providers = createProviders(db, {
    changed: setupChanged,
    saved: emit('providerSaved'),
    innerModel: createInnerModels(offscreen),
  });
  return { providers, models: createModels(db, { providers, origins, changed: setupChanged }) };
}
