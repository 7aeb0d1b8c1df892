import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openExtension } from '../../conformance/extension.ts';
import type { Subject } from '../../conformance/subject.ts';
import { REVISIONS, runSkills, runSuite } from '../../conformance/suite.ts';

let subject: Subject;
beforeAll(async () => {
  subject = await openExtension();
});
afterAll(() => subject?.close());

describe('the official client suite, inside the built extension', () => {
  it.each(REVISIONS)('passes all that %s requires', { timeout: 240_000 }, async (revision) => {
    const { required, failed } = await runSuite(subject, revision);
    expect(failed).toEqual([]);
    expect(required).toBe(revision === '2026-07-28' ? 32 : 18);
  });

  it('passes what there is of skills', { timeout: 120_000 }, async () => {
    expect(await runSkills(subject)).toEqual({ required: 4, failed: [] });
  });
});
