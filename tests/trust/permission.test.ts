import { describe, expect, it } from 'vitest';
import { defaultPermission, permissionFor } from '../../lib/trust/permission.ts';

const reading = { annotations: { readOnlyHint: true } };
const writing = { annotations: {} };
const grant = { fingerprint: 'same' };

describe('the permission in force', () => {
  it('is Ask unless a trusted server says that the tool only reads', () => {
    expect(defaultPermission(reading, { trusted: true })).toBe('allow');
    expect(defaultPermission(reading, { trusted: false })).toBe('ask');
    expect(defaultPermission(writing, { trusted: true })).toBe('ask');
  });

  it.each([
    ['a Block, whatever else was allowed', { ...reading, permission: 'block' }, true, 'same', 'block'],
    ['an Allow', { ...writing, permission: 'allow' }, false, 'other', 'allow'],
    ['a chat’s grant for this very definition', writing, false, 'same', 'allow'],
    [
      'a chat’s grant, also where the person wants to be asked',
      { ...reading, permission: 'ask' },
      true,
      'same',
      'allow',
    ],
    ['Ask, when the definition has changed since the grant', writing, false, 'other', 'ask'],
    [
      'Ask, when the person says so of a trusted server’s tool',
      { ...reading, permission: 'ask' },
      true,
      'other',
      'ask',
    ],
    ['the default, when there is nothing else', reading, true, 'other', 'allow'],
  ] as const)('is %s', (_words, tool, trusted, fingerprint, expected) => {
    expect(permissionFor(tool, { trusted }, grant, fingerprint)).toBe(expected);
  });
});
