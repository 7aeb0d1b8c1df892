import { describe, expect, it } from 'vitest';
import { fingerprint } from '../../lib/trust/fingerprint.ts';
import type { Definition } from '../../lib/types/tools/server-tool.ts';

const tool: Definition = {
  name: 'echo',
  description: 'Says it again.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' }, list: { enum: ['a', 'b'] } } },
  annotations: { readOnlyHint: true },
};

describe('a tool’s fingerprint', () => {
  it('is 64 hexadecimal digits, and the same for the same definition in any order of keys', async () => {
    const { text, list } = tool.inputSchema['properties'] as Record<string, unknown>;
    const other = { ...tool, inputSchema: { properties: { list, text }, type: 'object' } };
    expect(await fingerprint(tool)).toMatch(/^[0-9a-f]{64}$/);
    expect(await fingerprint(other)).toBe(await fingerprint(tool));
  });

  it('takes nothing but the definition: what the user chose does not count', async () => {
    const row = {
      ...tool,
      enabled: false,
      permission: 'allow',
      present: false,
      offeredName: 'x',
      serverId: 3,
    };
    expect(await fingerprint(row)).toBe(await fingerprint(tool));
  });

  it.each<[string, Partial<Definition>]>([
    ['name', { name: 'ech0' }],
    ['title', { title: 'Echo' }],
    ['description', { description: 'Says it again!' }],
    ['schema', { inputSchema: {} }],
    ['order of a list', { inputSchema: { ...tool.inputSchema, properties: { list: { enum: ['b', 'a'] } } } }],
    ['annotations', { annotations: {} }],
  ])('is another one for another %s', async (_part, change) => {
    expect(await fingerprint({ ...tool, ...change })).not.toBe(await fingerprint(tool));
  });

  it('overlooks no key, not even __proto__', async () => {
    const inputSchema = JSON.parse('{"__proto__":{"type":"object"}}') as Record<string, unknown>;
    expect(await fingerprint({ ...tool, inputSchema })).not.toBe(
      await fingerprint({ ...tool, inputSchema: {} }),
    );
  });
});
