import { expect, it } from 'vitest';
import { tierOf } from '../../lib/trust/tier.ts';

it.each([
  [{}, 'writes'],
  [{ readOnlyHint: true, destructiveHint: true, openWorldHint: true }, 'reads'],
  [{ readOnlyHint: false }, 'writes'],
  [{ destructiveHint: true, openWorldHint: true }, 'destructive'],
  [{ destructiveHint: false, openWorldHint: true }, 'sends'],
  [{ destructiveHint: false }, 'writes'],
] as const)('a tool with the hints %o %s', (annotations, tier) => {
  expect(tierOf(annotations)).toBe(tier);
});
