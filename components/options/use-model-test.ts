import { useState } from 'preact/hooks';
import type { WireError } from '../../lib/types/error.ts';
import type { ModelTest } from '../../lib/types/model.ts';
import type { Provider } from '../../lib/types/setup.ts';
import { useSetupState } from './options-context.ts';
import { useGranted } from './use-granted.ts';

/** The test of a saved provider's model; `start` it in a click. */
export function useModelTest(
  provider: Provider,
  model: string,
): { busy: boolean; error: WireError | null; result: ModelTest | null; start: () => void } {
  const { command } = useSetupState();
  const { busy, error, run } = useGranted(provider.baseUrl);
  const [result, setResult] = useState<ModelTest | null>(null);
  const { id: providerId, preset, baseUrl } = provider;
  const start = (): void =>
    run(async () => {
      setResult(null);
      setResult(await command('testModel', { providerId, preset, baseUrl, model }));
    });
  return { busy, error, result, start };
}
