import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openNode } from './node.ts';
import type { Subject } from './subject.ts';
import { REVISIONS, runSuite } from './suite.ts';

let subject: Subject;
beforeAll(async () => {
  subject = await openNode();
});
afterAll(() => subject.close());

describe('the official client suite, in Node', () => {
  it.each(REVISIONS)('passes all that %s requires', { timeout: 240_000 }, async (revision) => {
    const { required, failed } = await runSuite(subject, revision);
    expect(failed).toEqual([]);
    expect(required).toBe(revision === '2026-07-28' ? 32 : 18);
  });
});
