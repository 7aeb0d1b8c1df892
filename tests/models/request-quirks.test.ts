import { describe, expect, it } from 'vitest';
import { createClient } from '../../lib/models/client.ts';
import { quirksFor } from '../../lib/models/request-quirks.ts';

describe('quirks', () => {
  it('are none for a server of which nothing is known', () => {
    expect(quirksFor('custom', 'gemma3')).toEqual({});
  });

  it.each([
    ['openai', 'o4-mini', true],
    ['openai', 'gpt-5.1', true],
    ['openai', 'gpt-4o', undefined],
    ['azure', 'gpt-5', true],
    ['groq', 'openai/gpt-oss-20b', undefined],
  ] as const)('go by the preset and the name: %s %s', (preset, model, expected) => {
    expect(quirksFor(preset, model).maxCompletionTokens).toBe(expected);
  });

  it('follow a model behind a proxy', () => {
    expect(quirksFor('custom', 'google/gemini-3-pro').geminiSchemas).toBe(true);
  });

  it('are overruled by what was learned, either way', () => {
    const learned = { quirks: { noReasoning: false, textWithCalls: true } };
    expect(quirksFor('groq', 'm', learned)).toMatchObject({ noReasoning: false, textWithCalls: true });
  });
});

describe('headers', () => {
  async function sent(options: object): Promise<Headers> {
    let headers = new Headers();
    const fetch = ((_url: string, init: RequestInit) => {
      headers = new Headers(init.headers);
      return Promise.resolve(new Response('{}'));
    }) as typeof globalThis.fetch;
    await createClient({ baseUrl: 'http://127.0.0.1:1/v1', fetch, ...options }).get('/models');
    return headers;
  }

  it('of the provider and of the user go with every request', async () => {
    const headers = await sent({ preset: 'anthropic', apiKey: 'k', headers: { 'X-Team': 'a' } });
    expect(Object.fromEntries(headers)).toMatchObject({
      'anthropic-dangerous-direct-browser-access': 'true',
      'x-team': 'a',
      authorization: 'Bearer k',
    });
  });

  it('of the user weigh more', async () => {
    expect((await sent({ apiKey: 'k', headers: { authorization: 'Basic x' } })).get('authorization')).toBe(
      'Basic x',
    );
    expect((await sent({ headers: { authorization: 'Basic x' } })).get('authorization')).toBe('Basic x');
  });
});
