import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../lib/models/classify.ts';
import { describeFailure, type Failure } from '../../lib/models/failure.ts';

const asked = { baseUrl: 'http://localhost:11434/v1', apiKey: 'sk-secret' };
const status = (code: number, detail = 'no') =>
  describeFailure({ type: 'status', status: code, detail }, asked);

describe('a failure in words', () => {
  it.each([
    [400, 'model_rejected', false],
    [401, 'model_unauthorized', false],
    [402, 'model_payment', false],
    [403, 'model_unauthorized', false],
    [404, 'model_not_found', false],
    [405, 'model_not_found', false],
    [408, 'model_server_error', true],
    [413, 'model_too_long', false],
    [418, 'model_rejected', false],
    [422, 'model_rejected', false],
    [429, 'model_rate_limited', true],
    [500, 'model_server_error', true],
    [503, 'model_server_error', true],
  ])('for HTTP %i has the code %s and retryable %s', (code, expected, retryable) => {
    expect(status(code)).toMatchObject({ code: expected, retryable, cause: `HTTP ${code}, no` });
  });

  it.each<Failure>([
    { type: 'bad_url' },
    { type: 'bad_key' },
    { type: 'unreachable', detail: 'ECONNREFUSED' },
    { type: 'not_a_model', detail: 'an HTML page' },
    { type: 'stream_error', detail: 'overloaded' },
    { type: 'incomplete', detail: '' },
    { type: 'empty', finish: 'stop' },
    { type: 'empty', finish: 'length' },
    { type: 'empty', finish: 'filtered' },
    { type: 'timeout', ms: 120_000 },
    ...[400, 401, 402, 403, 404, 413, 429, 500].map((code) => ({
      type: 'status' as const,
      status: code,
      detail: '',
    })),
  ])('names the host in one sentence and what to do in another: %j', (failure) => {
    const { message, fix } = describeFailure(failure, asked);
    expect(message).toMatch(/^[^.]*localhost:11434.*\.$/);
    expect(fix).toMatch(/\.$/);
  });

  it('speaks of OLLAMA_ORIGINS only when a 403 came without a word', () => {
    expect(status(403, '').fix).toContain('OLLAMA_ORIGINS');
    expect(status(403).fix).not.toContain('OLLAMA_ORIGINS');
  });

  it('tells a wrong key from a missing one', () => {
    expect(status(401).message).toBe('localhost:11434 did not accept the API key.');
    const keyless = describeFailure({ type: 'status', status: 401, detail: '' }, { baseUrl: asked.baseUrl });
    expect(keyless.message).toBe('localhost:11434 wants an API key.');
  });

  it('never shows the API key, not even at the edge of a long cause', () => {
    const { cause } = status(401, `${'x'.repeat(280)} sk-secret`);
    expect(cause).not.toContain('sk-');
    expect(cause).toContain('•••');
  });

  it('keeps a cause to one line of bearable length', () => {
    const { cause } = status(500, `a\n\n b${'x'.repeat(1000)}`);
    expect(cause?.startsWith('HTTP 500, a b')).toBe(true);
    expect(cause).toHaveLength(301);
  });

  it('has no fix for what the person did', () => {
    expect(describeFailure({ type: 'cancelled' }, asked)).toEqual({
      code: 'cancelled',
      message: 'The request to localhost:11434 was stopped.',
      retryable: false,
    });
  });
});

describe('the words of an error body', () => {
  it.each([
    ['plain', 'plain'],
    [{ message: 'a' }, 'a'],
    [{ error: { message: 'b' } }, 'b'],
    [{ error: 'c' }, 'c'],
    [{ detail: 'Not Found' }, 'Not Found'],
    [{ message: { detail: [{ type: 'extra_forbidden' }] } }, '[{"type":"extra_forbidden"}]'],
    [{ code: 7 }, '{"code":7}'],
    ['<!DOCTYPE html><html></html>', 'an HTML page'],
    [undefined, ''],
    [null, ''],
  ])('%j are %j', (body, words) => {
    expect(wordsOf(body)).toBe(words);
  });
});
