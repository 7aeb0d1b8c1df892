import { describe, expect, it } from 'vitest';
import { AppError } from '../../lib/errors.ts';
import { orSecretFault } from '../../components/options/secret-fault.ts';
import { checkProvider, draftOf as providerDraft } from '../../components/options/provider-input.ts';
import { checkServer, draftOf, parseHeaders } from '../../components/options/server-input.ts';

const valid = { ...draftOf(null), name: 'Everything', url: 'http://127.0.0.1:3901/mcp' };

const of = (change: object) => checkServer({ ...valid, ...change }, 3);

describe('the server form', () => {
  it.each([
    [{ name: ' ' }, { name: 'Name is required' }],
    [{ url: '' }, { url: 'URL is required' }],
    [{ url: 'mcp.linear.app/mcp' }, { url: 'Start the address with https:// or http://' }],
    [{ url: 'javascript:alert(1)' }, { url: 'Start the address with https:// or http://' }],
    [{ url: 'https://' }, { url: 'This is not an address that a browser can open' }],
    [{ url: 'https://mcp.example/m cp' }, { url: 'Take the spaces out of the address' }],
    [{ url: 'https://mcp.example/\tmcp' }, { url: 'Take the spaces out of the address' }],
    [{ headers: 'A: b\nno colon' }, { headers: 'Line 2 is not of the form Name: value' }],
    [{ toolTimeout: '0' }, { toolTimeout: 'Give a whole number of milliseconds, 1 or more' }],
  ])('given %j says %j', (change, faults) => {
    expect(checkServer({ ...valid, ...change }, undefined)).toEqual({ faults });
  });

  it('leaves the stored headers alone unless some are written or they are to be removed', () => {
    expect(of({})).not.toHaveProperty('input.headers');
    expect(of({ headers: 'X-Key: 1' })).toMatchObject({ input: { id: 3, headers: { 'X-Key': '1' } } });
    expect(of({ forgetHeaders: true })).toMatchObject({ input: { headers: {} } });
  });

  it('reads header values with colons in them', () => {
    expect(parseHeaders('Authorization: Bearer a:b\n\nX-A:  1')).toEqual({
      headers: { Authorization: 'Bearer a:b', 'X-A': '1' },
    });
  });
});

describe('the provider form', () => {
  it('names every field that is missing', () => {
    expect(checkProvider(providerDraft(null), undefined)).toEqual({
      faults: { name: 'Name is required', baseUrl: 'Base URL is required', model: 'Model is required' },
    });
  });

  it('takes no address with a space inside, but forgives one around it', () => {
    const draft = { ...providerDraft(null), name: 'A', model: 'm' };
    expect(checkProvider({ ...draft, baseUrl: 'https://a.example/v 1' }, 1)).toEqual({
      faults: { baseUrl: 'Take the spaces out of the address' },
    });
    expect(checkProvider({ ...draft, baseUrl: ' https://a.example/v1 ' }, 1)).toMatchObject({
      input: { baseUrl: 'https://a.example/v1' },
    });
  });

  it('keeps the stored key unless another is written or it is to be removed', () => {
    const draft = { name: 'A', baseUrl: 'https://a.example/v1', model: 'm', apiKey: '', forgetKey: false };
    expect(checkProvider(draft, 1)).not.toHaveProperty('input.apiKey');
    expect(checkProvider({ ...draft, apiKey: 'k' }, 1)).toMatchObject({ input: { apiKey: 'k' } });
    expect(checkProvider({ ...draft, forgetKey: true }, 1)).toMatchObject({ input: { apiKey: '' } });
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
