import { describe, expect, it, vi } from 'vitest';
import { ASK, createAsks } from '../../lib/mcp/asks.ts';
import type { Ask, Fulfilled, RequestBody } from '../../lib/types/request.ts';

const person = (): Ask => async () => ({ action: 'cancel' });
const onStreamOf = (ask: Ask) => ({ mcpReq: { _meta: { [ASK]: ask } } });

it('what a server asks is for the request on whose stream it came', () => {
  const asks = createAsks();
  const [first, second] = [person(), person()];
  asks.start(first);
  asks.start(second);
  expect(asks.of(onStreamOf(first))).toBe(first);
});

describe('what came on no request’s stream', () => {
  const form: RequestBody = { kind: 'form', message: 'Who?', schema: {} };
  const { signal } = new AbortController();
  const saying =
    (who: string): Ask =>
    async () => ({ action: 'accept', content: { who } });
  /** A person who has not answered yet when the call ends, which takes the question away. */
  const slow = (asked: () => void): Ask =>
    vi.fn<Ask>((_request, until) => {
      const { promise, resolve } = Promise.withResolvers<Fulfilled>();
      until.addEventListener('abort', () => resolve({ action: 'cancel' }));
      asked();
      return promise;
    });

  it('is for the latest that is in flight', async () => {
    const asks = createAsks();
    asks.start(saying('Ada'));
    const end = asks.start(saying('Bea'));
    expect(await asks.of({ mcpReq: {} })?.(form, signal)).toMatchObject({ content: { who: 'Bea' } });
    end();
    expect(await asks.of({ mcpReq: {} })?.(form, signal)).toMatchObject({ content: { who: 'Ada' } });
  });

  it('goes on to another that is in flight when the one that it was for ends, and is cancelled with the last', async () => {
    const asks = createAsks();
    const first = Promise.withResolvers<void>();
    const ends = [asks.start(slow(first.resolve)), asks.start(slow(() => {}))];
    const answer = asks.of({ mcpReq: {} })?.(form, signal);
    ends[1]?.();
    await first.promise;
    ends[0]?.();
    expect(await answer).toEqual({ action: 'cancel' });
    expect(asks.of({ mcpReq: {} })).toBeUndefined();
  });

  it('goes on also from one that rejects when it ends, but not past what the person says', async () => {
    const asks = createAsks();
    asks.start(saying('Ada'));
    const end = asks.start(
      (_request, until) =>
        new Promise((_resolve, reject) => until.addEventListener('abort', () => reject(until.reason))),
    );
    const answer = asks.of({ mcpReq: {} })?.(form, signal);
    end();
    expect(await answer).toMatchObject({ content: { who: 'Ada' } });
    const no = vi.fn<Ask>(async () => ({ action: 'cancel' }));
    asks.start(no);
    expect(await asks.of({ mcpReq: {} })?.(form, signal)).toEqual({ action: 'cancel' });
    expect(no).toHaveBeenCalledOnce();
  });
});

it('what came for a request that has ended is for nobody: another chat’s call is not its', () => {
  const asks = createAsks();
  const [ended, other] = [person(), person()];
  asks.start(other);
  asks.start(ended)();
  expect(asks.of(onStreamOf(ended))).toBeUndefined();
});
