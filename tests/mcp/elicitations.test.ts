import { describe, expect, it, vi } from 'vitest';
import { ELICIT, createElicitations } from '../../lib/mcp/elicitation/elicitations.ts';
import type { Elicit, Fulfilled, RequestBody } from '../../lib/types/request.ts';

const person = (): Elicit => async () => ({ action: 'cancel' });
const onStreamOf = (elicit: Elicit) => ({ mcpReq: { _meta: { [ELICIT]: elicit } } });

const form: RequestBody = { kind: 'form', message: 'Who?', schema: {} };
const { signal } = new AbortController();

it('an elicitation belongs to the request on whose stream it came, and ends with it', async () => {
  const elicitations = createElicitations();
  const asked = Promise.withResolvers<AbortSignal>();
  const first = vi.fn<Elicit>(async (_request, until) => {
    asked.resolve(until);
    return { action: 'cancel' };
  });
  const end = elicitations.start(first);
  elicitations.start(person());
  const elicit = elicitations.of(onStreamOf(first));
  await elicit?.(form, signal);
  const until = await asked.promise;
  expect(until.aborted).toBe(false);
  end();
  expect(until.aborted).toBe(true);
  // One that came just before the answer may be put before the user after it.
  await elicit?.(form, signal);
  expect(first.mock.lastCall?.[1].aborted).toBe(true);
});

describe('an elicitation on no request’s stream', () => {
  const saying =
    (who: string): Elicit =>
    async () => ({ action: 'accept', content: { who } });
  /** A user who has not answered yet when the call ends, which withdraws the elicitation. */
  const slow = (asked: () => void): Elicit =>
    vi.fn<Elicit>((_request, until) => {
      const { promise, resolve } = Promise.withResolvers<Fulfilled>();
      until.addEventListener('abort', () => resolve({ action: 'cancel' }));
      asked();
      return promise;
    });

  it('belongs to the latest request in flight', async () => {
    const elicitations = createElicitations();
    elicitations.start(saying('Ada'));
    const end = elicitations.start(saying('Bea'));
    expect(await elicitations.of({ mcpReq: {} })?.(form, signal)).toMatchObject({ content: { who: 'Bea' } });
    end();
    expect(await elicitations.of({ mcpReq: {} })?.(form, signal)).toMatchObject({ content: { who: 'Ada' } });
  });

  it('moves to another request when its own ends, and is cancelled with the last', async () => {
    const elicitations = createElicitations();
    const first = Promise.withResolvers<void>();
    const ends = [elicitations.start(slow(first.resolve)), elicitations.start(slow(() => {}))];
    const answer = elicitations.of({ mcpReq: {} })?.(form, signal);
    ends[1]?.();
    await first.promise;
    ends[0]?.();
    expect(await answer).toEqual({ action: 'cancel' });
    expect(elicitations.of({ mcpReq: {} })).toBeUndefined();
  });

  it('moves on from a request that rejects at its end, but not past the user’s answer', async () => {
    const elicitations = createElicitations();
    elicitations.start(saying('Ada'));
    const end = elicitations.start(
      (_request, until) =>
        new Promise((_resolve, reject) => until.addEventListener('abort', () => reject(until.reason))),
    );
    const answer = elicitations.of({ mcpReq: {} })?.(form, signal);
    end();
    expect(await answer).toMatchObject({ content: { who: 'Ada' } });
    const no = vi.fn<Elicit>(async () => ({ action: 'cancel' }));
    elicitations.start(no);
    expect(await elicitations.of({ mcpReq: {} })?.(form, signal)).toEqual({ action: 'cancel' });
    expect(no).toHaveBeenCalledOnce();
  });
});

it('an elicitation of a request that has ended belongs to no other chat’s call', () => {
  const elicitations = createElicitations();
  const [ended, other] = [person(), person()];
  elicitations.start(other);
  elicitations.start(ended)();
  expect(elicitations.of(onStreamOf(ended))).toBeUndefined();
});
