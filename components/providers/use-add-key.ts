import { useState } from 'preact/hooks';
import { AppError, fromWire } from '../../lib/errors.ts';
import { requestOrigins } from '../../lib/gestures.ts';
import { presetOfKey, type Preset } from '../../lib/provider-presets.ts';
import type { ProviderInput } from '../../lib/protocol/setup.ts';
import { bestModel } from '../../lib/state/composer/choice.ts';
import type { WorkerLink } from '../../lib/state/panel-port.ts';
import type { ErrorWords, WireError } from '../../lib/types/error.ts';
import { t } from '../../locales/texts/panel.ts';
import { useAction } from '../options/form/use-action.ts';

/** A key out of what was pasted: a line of an .env file, or in quotation marks. */
export const keyIn = (pasted: string): string =>
  pasted
    .trim()
    .replace(/^(?:export\s+)?[A-Z][A-Z0-9_]*=/, '')
    .replace(/^(["'])(.*)\1$/, '$2');

/** A provider that is added by its key alone: its models are listed, and it is saved with the one to begin with. */
export function useAddKey(send: WorkerLink['send'], done: () => void) {
  const [key, setKey] = useState('');
  const [preset, setPreset] = useState<Preset | null>(null);
  const [missing, setMissing] = useState<ErrorWords | null>(null);
  const { busy, error, run, clear } = useAction();

  const begin = (of: Preset, apiKey: string): void => {
    if (busy) return;
    // First of all, while the gesture counts. Rejected: this was none.
    const granting = requestOrigins([of.baseUrl]).catch(() => null);
    setPreset(of);
    setMissing(null);
    run(async (isWanted) => {
      requireGranted(await granting, new URL(of.baseUrl).host);
      const input = await proposeProvider(send, of, apiKey);
      if (!isWanted()) return;
      await send('saveProvider', input);
      done();
    });
  };

  const typed = (next: string): void => {
    setKey(next);
    setMissing(null);
    clear();
  };

  return {
    key,
    /** Whose the key is, as it says itself or the user chose. */
    preset,
    busy,
    /** What is wrong, and what to do about it here; the key stays. */
    fault: missing
      ? { ...missing, ofKey: true }
      : error && { ...error, fix: fixOf(error), ofKey: error.code === 'model_unauthorized' },
    type(next: string): void {
      typed(next);
      setPreset(presetOfKey(next.trim()) ?? preset);
    },
    /** Call it in the paste itself: the browser's question comes in a gesture only. */
    paste(text: string): void {
      const pasted = keyIn(text);
      typed(pasted);
      const whose = presetOfKey(pasted) ?? preset;
      if (whose) begin(whose, pasted);
      else setMissing(t(($) => $.addKey.faults.whose));
    },
    /** Call it in the click. */
    choose(next: Preset): void {
      if (busy) return;
      typed(key);
      if (key.trim() !== '' || next.key === 'optional') begin(next, key.trim());
      else setPreset(next);
    },
    /** Call it in the click. */
    go(): void {
      if (!preset && key.trim() === '') setMissing(t(($) => $.addKey.faults.empty));
      else if (!preset) setMissing(t(($) => $.addKey.faults.whose));
      else if (key.trim() === '' && preset.key === 'required')
        setMissing(t(($) => $.addKey.faults.key, { name: preset.name }));
      else begin(preset, key.trim());
    },
  };
}

export type AddingKey = ReturnType<typeof useAddKey>;

/** @param granted null: the browser did not ask, since there was no gesture. @throws AppError that says what to press now */
export function requireGranted(granted: boolean | null, host: string): void {
  if (granted) return;
  const words = t(($) => $.addKey.faults[granted === null ? 'gesture' : 'refused'], { host });
  throw new AppError({ code: 'host_not_granted', ...words, retryable: false });
}

/** The provider with the model to begin with, once it took the key. @throws AppError */
async function proposeProvider(
  send: WorkerLink['send'],
  preset: Preset,
  apiKey: string,
): Promise<ProviderInput> {
  const { id, name, baseUrl, prefer, listIsPublic } = preset;
  const probe = { preset: id, baseUrl, ...(apiKey !== '' && { apiKey }) };
  const model = bestModel(await send('listModels', probe), prefer)?.id;
  if (model === undefined)
    throw new AppError({ code: 'no_models', ...t(($) => $.addKey.faults.noModels, { name }) });
  if (listIsPublic) {
    const { error } = await send('testModel', { ...probe, model });
    if (error?.code === 'model_unauthorized') throw fromWire(error);
  }
  return { ...probe, name, model };
}

/** The words of errors lead to the settings of a provider that is saved; this one is not. */
function fixOf({ code, fix }: WireError): string {
  const fixes: Record<string, string> = t(($) => $.addKey.fixes);
  return fixes[code] ?? (code.startsWith('model_') ? t(($) => $.addKey.again) : (fix ?? ''));
}
