import { expect, it } from 'vitest';
import { ASK, createAsks } from '../../lib/mcp/asks.ts';
import type { Ask } from '../../lib/types/request.ts';

const person = (): Ask => async () => ({ action: 'cancel' });
const onStreamOf = (ask: Ask) => ({ mcpReq: { _meta: { [ASK]: ask } } });

it('what a server asks is for the request on whose stream it came', () => {
  const asks = createAsks();
  const [first, second] = [person(), person()];
  asks.start(first);
  asks.start(second);
  expect(asks.of(onStreamOf(first))).toBe(first);
});

it('what came on no request’s stream is for the latest that is in flight', () => {
  const asks = createAsks();
  const [first, second] = [person(), person()];
  asks.start(first);
  const end = asks.start(second);
  expect(asks.of({ mcpReq: {} })).toBe(second);
  end();
  expect(asks.of({ mcpReq: {} })).toBe(first);
});

it('what came for a request that has ended is for nobody: another chat’s call is not its', () => {
  const asks = createAsks();
  const [ended, other] = [person(), person()];
  asks.start(other);
  asks.start(ended)();
  expect(asks.of(onStreamOf(ended))).toBeUndefined();
});
