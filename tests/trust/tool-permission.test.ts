import { describe, expect, it } from 'vitest';
import { defaultPermission, isRepeatable, permissionFor } from '../../lib/trust/tool-permission.ts';
import type { TierPermissions } from '../../lib/types/tools/tier.ts';

const reading = { annotations: { readOnlyHint: true, openWorldHint: false } };
const searching = { annotations: { readOnlyHint: true } };
const silent = { annotations: {} };
const undoable = { annotations: { destructiveHint: false } };
const sending = { annotations: { destructiveHint: false, openWorldHint: true } };
const destroying = { annotations: { destructiveHint: true } };
const grant = { fingerprint: 'same' };
const callOf = (fingerprint: string) => ({ grant, fingerprint, createdAt: '2026-01-01', origins: [] });

const atFirst: TierPermissions = { reads: 'allow', writes: 'ask', sends: 'ask', destructive: 'ask' };
const allowing: TierPermissions = { reads: 'allow', writes: 'allow', sends: 'allow', destructive: 'ask' };
const blocking: TierPermissions = { reads: 'block', writes: 'block', sends: 'block', destructive: 'block' };
const trusted = { trusted: true };
const others = { trusted: false };

describe('the default of a tier', () => {
  it('is at first Ask, unless a trusted server says that the tool only reads, and nothing but what is its own', () => {
    expect(defaultPermission(reading, trusted, atFirst)).toBe('allow');
    expect(defaultPermission(reading, others, atFirst)).toBe('ask');
    for (const tool of [searching, silent, undoable, sending, destroying])
      expect(defaultPermission(tool, trusted, atFirst)).toBe('ask');
  });

  it('allows what the user says, on servers that they trust', () => {
    expect(defaultPermission(undoable, trusted, allowing)).toBe('allow');
    expect(defaultPermission(sending, trusted, allowing)).toBe('allow');
    expect(defaultPermission(searching, trusted, allowing)).toBe('allow');
    expect(defaultPermission(destroying, trusted, allowing)).toBe('ask');
  });

  it('takes no other server’s word, whatever is allowed', () => {
    for (const tool of [reading, silent, undoable, sending, destroying])
      expect(defaultPermission(tool, others, allowing)).toBe('ask');
  });

  it('asks about a tool that may be destructive for all that its server says', () => {
    expect(defaultPermission(silent, trusted, allowing)).toBe('ask');
    expect(defaultPermission({ annotations: { openWorldHint: true } }, trusted, allowing)).toBe('ask');
  });

  it('blocks for every server', () => {
    for (const tool of [reading, silent, undoable, sending, destroying])
      for (const server of [trusted, others]) expect(defaultPermission(tool, server, blocking)).toBe('block');
  });
});

it('only a tool that destroys nothing may be called a second time since it says that it only reads', () => {
  expect(isRepeatable({ annotations: { readOnlyHint: true } })).toBe(true);
  expect(isRepeatable({ annotations: { readOnlyHint: true, destructiveHint: true } })).toBe(false);
  expect(isRepeatable({ annotations: { idempotentHint: true, destructiveHint: true } })).toBe(true);
});

describe('the permission in force', () => {
  it.each([
    ['a Block, whatever else was allowed', { ...reading, permission: 'block' }, true, 'same', 'block'],
    ['an Allow', { ...silent, permission: 'allow' }, false, 'other', 'allow'],
    ['a chat’s grant for this very definition', silent, false, 'same', 'allow'],
    [
      'a chat’s grant, also where the user wants to be asked',
      { ...reading, permission: 'ask' },
      true,
      'same',
      'allow',
    ],
    ['Ask, when the definition has changed since the grant', silent, false, 'other', 'ask'],
    [
      'Ask, when the user says so of a trusted server’s tool',
      { ...reading, permission: 'ask' },
      true,
      'other',
      'ask',
    ],
    ['the default, when there is nothing else', reading, true, 'other', 'allow'],
  ] as const)('is %s', (_words, tool, isTrusted, fingerprint, expected) => {
    expect(permissionFor(tool, { trusted: isTrusted }, atFirst, callOf(fingerprint))).toBe(expected);
  });

  it.each([
    ['changed', { before: { name: 'x', description: '', inputSchema: {}, annotations: {} } }],
    ['is new', {}],
  ])(
    'is Ask for a trusted server’s tool that %s since, but for a chat’s grant for what it is now',
    (_how, review) => {
      const tool = { ...reading, review };
      expect(permissionFor(tool, trusted, atFirst)).toBe('ask');
      expect(permissionFor(tool, trusted, atFirst, callOf('other'))).toBe('ask');
      expect(permissionFor(tool, trusted, atFirst, callOf('same'))).toBe('allow');
      expect(permissionFor({ ...tool, permission: 'block' }, trusted, atFirst, callOf('same'))).toBe('block');
      expect(permissionFor(tool, trusted, blocking)).toBe('block');
    },
  );

  it('is what was chosen for the tool, also where its tier is blocked', () => {
    expect(permissionFor({ ...silent, permission: 'allow' }, trusted, blocking)).toBe('allow');
    expect(permissionFor({ ...silent, permission: 'ask' }, trusted, blocking)).toBe('ask');
    expect(permissionFor(silent, trusted, blocking, callOf('same'))).toBe('allow');
    expect(permissionFor(silent, trusted, blocking, callOf('other'))).toBe('block');
  });

  it('is a chat’s grant for the origins that it was given for, and for no others', () => {
    const given = { ...grant, given: { at: '2025-01-01', used: 0, origins: ['https://a.example'] } };
    const of = (...origins: string[]) =>
      permissionFor(silent, others, atFirst, { ...callOf('same'), grant: given, origins });
    expect(of('https://a.example')).toBe('allow');
    expect([of('https://b.example'), of('https://a.example', 'https://b.example')]).toEqual(['ask', 'ask']);
    const bare = permissionFor(silent, others, atFirst, {
      ...callOf('same'),
      origins: ['https://a.example'],
    });
    expect(bare).toBe('ask');
  });

  it('is an Allow for the origins that it was given for, if there were some', () => {
    const given = { at: '2025-01-01', used: 0 };
    const of = (origins: string[] | undefined, ...reached: string[]) =>
      permissionFor(
        { ...silent, permission: 'allow', given: { ...given, ...(origins && { origins }) } },
        others,
        atFirst,
        { ...callOf('other'), origins: reached },
      );
    const [a, b] = ['https://a.example', 'https://b.example'];
    expect([of([a], a), of(undefined, b), of(undefined)]).toEqual(['allow', 'allow', 'allow']);
    expect([of([a], b), of([a], a, b)]).toEqual(['ask', 'ask']);
  });

  it('is Ask for a call without an origin, unless it was given for such a one, too', () => {
    const origins = ['https://a.example'];
    const of = (given: { origins?: string[]; withoutOrigin?: boolean }) => {
      const all = { at: '2025-01-01', used: 0, ...given };
      const call = callOf('same');
      return [
        permissionFor(silent, others, atFirst, { ...call, grant: { ...grant, given: all } }),
        permissionFor({ ...silent, permission: 'allow', given: all }, others, atFirst, callOf('other')),
      ];
    };
    expect(of({ origins })).toEqual(['ask', 'ask']);
    expect(of({ origins, withoutOrigin: true })).toEqual(['allow', 'allow']);
    expect(of({})).toEqual(['allow', 'allow']);
  });

  it('is a chat’s grant also where an Allow reaches other origins only', () => {
    const at = '2025-01-01';
    const tool = {
      ...silent,
      permission: 'allow' as const,
      given: { at, used: 0, origins: ['https://a.example'] },
    };
    const granted = { ...grant, given: { at, used: 0, origins: ['https://b.example'] } };
    const call = { ...callOf('same'), grant: granted, origins: ['https://b.example'] };
    expect(permissionFor(tool, others, atFirst, call)).toBe('allow');
  });
});
