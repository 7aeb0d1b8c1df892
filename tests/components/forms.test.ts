import { describe, expect, it } from 'vitest';
import { AppError } from '../../lib/errors.ts';
import { orSecretFault } from '../../components/options/models/provider-form.tsx';
import {
  checkProvider,
  draftOf as providerDraft,
  startFrom,
} from '../../components/options/models/provider-input.ts';
import { presets } from '../../lib/provider-presets.ts';
import type { Provider } from '../../lib/types/provider.ts';

describe('the provider form', () => {
  const saved: Provider = {
    id: 1,
    name: 'A',
    preset: 'custom',
    baseUrl: 'https://a.example/v1',
    model: 'm',
    hasKey: true,
    headerNames: [],
  };
  const draft = providerDraft(saved);
  const blank = providerDraft(null);

  it('names every field that is missing', () => {
    expect(checkProvider(blank, null)).toEqual({
      faults: { name: 'Name is required', baseUrl: 'Base URL is required', model: 'Model is required' },
    });
  });

  it('takes no address with a space inside, but forgives one around it', () => {
    expect(checkProvider({ ...draft, baseUrl: 'https://a.example/v 1' }, saved)).toEqual({
      faults: { baseUrl: 'Remove the spaces from the address' },
    });
    expect(checkProvider({ ...draft, baseUrl: ' https://a.example/v1 ' }, saved)).toMatchObject({
      input: { baseUrl: 'https://a.example/v1' },
    });
  });

  it('keeps the stored key unless another is written or it is to be removed', () => {
    expect(checkProvider(draft, saved)).not.toHaveProperty('input.apiKey');
    expect(checkProvider({ ...draft, apiKey: 'k' }, saved)).toMatchObject({ input: { apiKey: 'k' } });
    expect(checkProvider({ ...draft, forgetKey: true }, saved)).toMatchObject({ input: { apiKey: '' } });
  });

  it('keeps the stored headers likewise, and names the line that is none', () => {
    expect(checkProvider(draft, saved)).not.toHaveProperty('input.headers');
    expect(checkProvider({ ...draft, headers: 'X-A: 1' }, saved)).toMatchObject({
      input: { id: 1, headers: { 'X-A': '1' } },
    });
    expect(checkProvider({ ...draft, forgetHeaders: true }, saved)).toMatchObject({ input: { headers: {} } });
    expect(checkProvider({ ...draft, headers: 'nonsense' }, saved)).toEqual({
      faults: { headers: 'Line 1 is not in the form Name: value' },
    });
  });

  it('fills in name and address from any preset', () => {
    for (const preset of presets.filter(({ id }) => id !== 'custom')) {
      const { id, name, baseUrl } = preset;
      expect(startFrom(blank, id)).toMatchObject({ preset: id, name, baseUrl });
    }
    expect(startFrom(startFrom(blank, 'groq'), 'custom')).toMatchObject({ name: '', baseUrl: '' });
  });

  it('asks as the preset does, and says so to the worker only where the user chose otherwise', () => {
    const [openai, ollama] = [startFrom(blank, 'openai'), startFrom(blank, 'ollama')];
    expect([openai.api, ollama.api, startFrom(openai, 'ollama').api]).toEqual(['responses', 'chat', 'chat']);
    const chosen = { ...ollama, api: 'responses' as const, model: 'm' };
    expect(startFrom(chosen, 'vllm').api).toBe('responses');
    expect(checkProvider(chosen, null)).toHaveProperty('input.api', 'responses');
    expect(checkProvider({ ...ollama, model: 'm' }, null)).not.toHaveProperty('input.api');
  });

  it('leaves what the user typed when another preset is chosen', () => {
    const typed = { ...startFrom(blank, 'ollama'), name: 'Attic', apiKey: 'k', model: 'm' };
    expect(startFrom(typed, 'openai')).toMatchObject({
      preset: 'openai',
      name: 'Attic',
      baseUrl: 'https://api.openai.com/v1',
      apiKey: 'k',
      model: 'm',
    });
    expect(startFrom({ ...typed, baseUrl: 'http://attic:1/v1' }, 'openai').baseUrl).toBe('http://attic:1/v1');
  });

  it('asks for what stands in braces to be replaced', () => {
    const azure = { ...startFrom(blank, 'azure'), apiKey: 'k', model: 'm' };
    expect(checkProvider(azure, null)).toEqual({ faults: { baseUrl: 'Replace {resource} with your own' } });
    const baseUrl = azure.baseUrl.replace('{resource}', 'mine');
    expect(checkProvider({ ...azure, baseUrl }, null)).toHaveProperty('input.baseUrl', baseUrl);
  });

  it('misses a key only where the provider wants one and nothing stands in for it', () => {
    const openai = { ...startFrom(blank, 'openai'), model: 'm' };
    const fault = { faults: { apiKey: 'OpenAI needs an API key' } };
    expect(checkProvider(openai, null)).toEqual(fault);
    expect(checkProvider({ ...openai, apiKey: 'k' }, null)).toHaveProperty('input');
    expect(checkProvider({ ...openai, headers: 'api-key: k' }, null)).toHaveProperty('input');
    expect(checkProvider({ ...openai }, saved)).toHaveProperty('input');
    expect(checkProvider({ ...openai, forgetKey: true }, saved)).toEqual(fault);
    expect(checkProvider({ ...startFrom(blank, 'ollama'), model: 'm' }, null)).toHaveProperty('input');
  });
});

describe('an address that changed under a stored secret', () => {
  const refusing = (code: string) =>
    Promise.reject(new AppError({ code, message: 'The key belongs to a.example.', fix: 'Enter another.' }));

  it('is a fault of the secret’s field, in the worker’s words', async () => {
    const shown: string[] = [];
    const saved = await orSecretFault(refusing('secret_for_other_address'), (words) => shown.push(words));
    expect(saved).toBeNull();
    expect(shown).toEqual(['The key belongs to a.example. Enter another.']);
  });

  it('is told from every other failure, and from success', async () => {
    const shown: string[] = [];
    const show = (words: string) => shown.push(words);
    await expect(orSecretFault(refusing('invalid_input'), show)).rejects.toMatchObject({
      code: 'invalid_input',
    });
    expect(await orSecretFault(Promise.resolve({ id: 3 }), show)).toEqual({ id: 3 });
    expect(shown).toEqual([]);
  });
});
