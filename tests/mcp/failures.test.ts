import { SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { isSessionLost } from '../../lib/mcp/failures.ts';

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
  ])('when the server answers %i %s', (status, text) => {
    expect(isSessionLost(answer(status, text))).toBe(true);
  });

  it.each([
    [400, 'Bad Request: no such argument'],
    [500, 'session store is down'],
    [401, 'session expired'],
  ])('but not when it answers %i %s', (status, text) => {
    expect(isSessionLost(answer(status, text))).toBe(false);
  });

  it('but not when a tool merely speaks of one', () => {
    expect(isSessionLost(new Error('400 session'))).toBe(false);
  });
});
