import { SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { connectFailure, isSessionLost } from '../../lib/mcp/failures.ts';
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

  it('stay whole where a header is so short that it stands in everything', () => {
    expect(causeOf401({ 'x-debug': '1' })).toBe('HTTP 401: Unauthorized: key-12345');
  });
});
