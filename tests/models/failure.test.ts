import { describe, expect, it } from 'vitest';
import { fromWire, toWire } from '../../lib/errors.ts';
import { describeFailure, type Failure } from '../../lib/models/refusals/failure.ts';
import { readRefusal, wordsOf } from '../../lib/models/refusals/read-refusal.ts';
import { retryAfterOf } from '../../lib/models/refusals/classify.ts';

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
    [405, 'model_wrong_api', false],
    [408, 'model_server_error', true],
    [409, 'model_server_error', true],
    [413, 'model_too_long', false],
    [418, 'model_rejected', false],
    [422, 'model_rejected', false],
    [425, 'model_server_error', true],
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
    { type: 'redirect', detail: '' },
    { type: 'not_a_model', detail: 'an HTML page' },
    { type: 'stream_error', detail: 'overloaded' },
    { type: 'incomplete', detail: '' },
    { type: 'tool_use_failed', detail: '<add' },
    { type: 'too_many_calls', limit: 128 },
    { type: 'other_api', detail: '' },
    { type: 'empty', finish: 'stop', thought: false },
    { type: 'empty', finish: 'stop', thought: true },
    { type: 'empty', finish: 'length', thought: true },
    { type: 'empty', finish: 'filtered', thought: false },
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

  it.each([
    [429, 'insufficient_quota', 'model_payment', false],
    [400, 'context_length_exceeded', 'model_too_long', false],
  ])('for HTTP %i goes by the code %s of the body', (code, said, expected, retryable) => {
    const body = { error: { message: 'no', code: said } };
    const failure: Failure = { type: 'status', status: code, detail: 'no', body };
    expect(describeFailure(failure, asked)).toMatchObject({ code: expected, retryable });
  });

  it('says how long the server asked to wait', () => {
    const failure: Failure = { type: 'status', status: 429, detail: '', retryAfterMs: 90_000 };
    const error = describeFailure(failure, asked);
    expect(error.retryAfterMs).toBe(90_000);
    expect(toWire(fromWire(error))).toEqual(error);
    expect(status(429)).not.toHaveProperty('retryAfterMs');
  });

  it('never shows the API key, not even at the edge of a long cause', () => {
    const { cause } = status(401, `${'x'.repeat(280)} sk-secret`);
    expect(cause).not.toContain('sk-');
    expect(cause).toContain('•••');
  });

  it('never shows a secret header either, nor takes the short words of others for one', () => {
    const headers = { 'x-api-key': 'sk-other-secret', 'x-tries': '1' };
    const failure: Failure = { type: 'stream_error', detail: 'sk-other-secret is wrong, 1 try' };
    expect(describeFailure(failure, { ...asked, headers }).cause).toBe('••• is wrong, 1 try');
  });

  it('keeps a cause to one line of bearable length', () => {
    const { cause } = status(500, `a\n\n b${'x'.repeat(1000)}`);
    expect(cause?.startsWith('HTTP 500, a b')).toBe(true);
    expect(cause).toHaveLength(301);
  });

  it('has no fix for what the user did', () => {
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
    [[{ error: { message: 'd' } }], 'd'],
    [undefined, ''],
    [null, ''],
  ])('%j are %j', (body, words) => {
    expect(wordsOf(body)).toBe(words);
  });
});

describe('a refusal', () => {
  it.each([
    [
      'OpenAI',
      400,
      { error: { message: 'No.', param: 'parallel_tool_calls', code: 'unsupported_parameter' } },
      ['parallel_tool_calls'],
      'unsupported_parameter',
    ],
    [
      'Mistral',
      422,
      {
        object: 'error',
        message: { detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options', 'include_usage'] }] },
      },
      ['stream_options.include_usage'],
      'extra_forbidden',
    ],
    [
      'FastAPI',
      422,
      { detail: [{ type: 'missing', loc: ['body', 'messages', 0, 'name'], msg: 'x' }] },
      ['messages[0].name'],
      'missing',
    ],
    [
      'Google',
      400,
      [
        {
          error: {
            code: 400,
            message: 'Invalid JSON payload received. Unknown name "strict": Cannot find field.',
            status: 'INVALID_ARGUMENT',
          },
        },
      ],
      ['strict'],
      'invalid_argument',
    ],
    [
      'an older OpenAI',
      400,
      {
        error: {
          message: 'Unrecognized request argument supplied: parallel_tool_calls',
          param: null,
          code: null,
          type: 'invalid_request_error',
        },
      },
      ['parallel_tool_calls'],
      'invalid_request_error',
    ],
    [
      'xAI',
      400,
      { code: 'Client specified an invalid argument', error: 'Argument not supported: frequency_penalty' },
      ['frequency_penalty'],
      'client specified an invalid argument',
    ],
    [
      'Anthropic',
      400,
      { error: { message: '`temperature` is not supported with this model.' } },
      ['temperature'],
      '',
    ],
    ['an invalid request', 400, { error: { message: 'The request is invalid.' } }, [], ''],
    ['a server that is down', 500, { error: { message: "parameter: 'x'" } }, [], ''],
    ['no JSON', 400, 'Bad request', [], ''],
    ['nothing', 400, undefined, [], ''],
  ])('of %s names its parameters and its code', (_, code, body, params, said) => {
    expect(readRefusal(code, body)).toEqual({ params, code: said, message: wordsOf(body) });
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-11-22T00:00:00Z');
  it.each([
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': 'Sun, 22 Nov 2026 00:01:00 GMT' }, 60_000],
    [{ 'retry-after': 'Sun, 22 Nov 2020 00:01:00 GMT' }, 0],
    [{ 'retry-after': '7', 'retry-after-ms': '1500' }, 1500],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-1' }, undefined],
    [{}, undefined],
  ])('%j is %s ms', (headers: Record<string, string>, ms) => {
    expect(retryAfterOf(new Headers(headers), now)).toBe(ms);
  });
});
