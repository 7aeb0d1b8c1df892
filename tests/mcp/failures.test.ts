import { SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { connectFailure } from '../../lib/mcp/failures/failures.ts';
import { isSessionLost } from '../../lib/mcp/failures/sdk-errors.ts';
import { config } from './harness.ts';

function answer(status: number, text: string): SdkHttpError {
  return new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'refused', { status, text });
}

describe('a session is lost', () => {
  it.each([
    [404, ''],
    [404, '{"error":{"message":"Session not found"}}'],
    [400, 'Bad Request: No valid session ID provided'],
    [400, 'Bad Request: Server not initialized'],
    [400, 'unknown SESSION'],
    [400, '{"jsonrpc":"2.0","error":{"code":-32000,"message":"No valid session ID provided"},"id":7}'],
    [404, '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":7}'],
  ])('when the server answers %i %s', (status, text) => {
    expect(isSessionLost(answer(status, text))).toBe(true);
  });

  it.each([
    [400, 'Bad Request: no such argument'],
    [400, 'The training session is fully booked'],
    [400, '{"jsonrpc":"2.0","error":{"code":-32602,"message":"invalid session id"},"id":7}'],
    [404, '{"jsonrpc":"2.0","error":{"code":-32602,"message":"no such booking"},"id":7}'],
    [404, '{"jsonrpc":"2.0","result":{"content":[],"isError":true},"id":7}'],
    [500, 'session store is down'],
    [401, 'session expired'],
  ])('but not when it answers %i %s', (status, text) => {
    expect(isSessionLost(answer(status, text))).toBe(false);
  });

  it('but not when a tool merely speaks of one', () => {
    expect(isSessionLost(new Error('400 session'))).toBe(false);
  });
});

describe('the words of an error', () => {
  const causeOf401 = (headers: Record<string, string>) =>
    connectFailure(config('https://notes.example/mcp', { headers }), new Error('Unauthorized: key-12345'), {
      type: 'answer',
      status: 401,
      contentType: '',
    }).detail;

  it('have no secret of the settings', () => {
    expect(causeOf401({ 'x-api-key': 'key-12345' })).toBe('HTTP 401: Unauthorized: •••');
  });

  const causeOf502 = (text: string) =>
    connectFailure(config('https://notes.example/mcp'), new Error(`Error POSTing to endpoint: ${text}`), {
      type: 'answer',
      status: 502,
      contentType: 'text/html',
    }).detail;

  it.each([
    [
      '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body><h1>502 Bad Gateway</h1></body></html>',
      '502 Bad Gateway',
    ],
    ['<!DOCTYPE html>\n<style>p { color: red }</style>\n<p>Down for\n <b>repairs</b>', 'Down for repairs'],
    [
      JSON.stringify(
        [
          { code: 'invalid_type', path: ['tools', 0, 'name'], message: 'Expected text' },
          { code: 'invalid_union', path: [], message: 'Invalid input' },
          { path: ['a'], message: 'Invalid input', errors: [[], [{ path: ['b'], message: 'Expected 1' }]] },
        ],
        null,
        2,
      ),
      'tools.0.name: Expected text; Invalid input; a.b: Expected 1',
    ],
    ['\u001b[2Kno\u0000 \u202eoot\u2066\u200b', '[2Kno oot'],
    ['a list [ {] } ]\nthat is none', 'a list [ {] } ] that is none'],
  ])('are one line: %j', (text, line) => {
    expect(causeOf502(text)).toBe(`HTTP 502: Error POSTing to endpoint: ${line}`);
  });

  it('are told once where the error and its cause say the same', () => {
    const say = (words: string, inner: string) =>
      connectFailure(config('http://a.test/mcp'), new Error(words, { cause: new Error(inner) })).detail;
    expect(say('Probe failed: slow down', 'slow down')).toBe('No answer: Probe failed: slow down');
    expect(say('fetch failed', 'refused')).toBe('No answer: fetch failed (refused)');
  });

  it.each([
    [undefined, 'a little'],
    [30_000, '30 s'],
    [90_001, '2 min'],
    [3_600_000, '1 h'],
    [5_400_000, '1.5 h'],
    [999_999_999_000, 'more than a day'],
  ])('say how long to wait: %s ms', (retryAfterMs, wait) => {
    const seen = {
      type: 'answer',
      status: 429,
      contentType: '',
      ...(retryAfterMs && { retryAfterMs }),
    } as const;
    expect(connectFailure(config('http://a.test/mcp'), new Error('no'), seen).fix).toBe(
      `Wait ${wait}, then reconnect.`,
    );
  });

  it('say nothing of a wait of no time', () => {
    const seen = { type: 'answer', status: 429, contentType: '', retryAfterMs: 0 } as const;
    expect(connectFailure(config('http://a.test/mcp'), new Error('no'), seen).fix).toBe('Reconnect now.');
  });

  it('are cut, without reading all of a long text', () => {
    expect(causeOf502(`<html>${'<b '.repeat(500_000)}`)).toBe('HTTP 502: Error POSTing to endpoint:');
    expect(causeOf502(`${'[{'.repeat(500_000)}`)?.length).toBeLessThan(400);
  });

  it('stay whole where a header is so short that it stands in everything', () => {
    expect(causeOf401({ 'x-debug': '1' })).toBe('HTTP 401: Unauthorized: key-12345');
  });
});
