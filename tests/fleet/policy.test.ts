import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { policyShape, readPolicy } from '../../lib/fleet/policy.ts';
import { isSiteForbidden, isToolForbidden, requireImporter, setRules, FREE } from '../../lib/fleet/rules.ts';
import { OWN_TOOLS, PAGE_TOOLS } from '../../lib/types/tools/tool-source.ts';

afterEach(() => setRules(FREE));

/** A schema with the keywords that Chromium reads: https://www.chromium.org/administrators/configuring-policy-for-extensions/ */
function managed(schema: z.core.JSONSchema.BaseSchema): object {
  const { type, properties, items, additionalProperties: others, enum: values } = schema;
  return {
    type,
    ...(values && { enum: values }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, each]) => [name, managed(each as typeof schema)]),
      ),
    }),
    ...(items && { items: managed(items as typeof schema) }),
    ...(typeof others === 'object' && { additionalProperties: managed(others) }),
  };
}

it('the schema that the browser checks a policy by is what the parser reads', () => {
  const schema = managed(z.toJSONSchema(policyShape, { io: 'input' }));
  const file = readFileSync(new URL('../../public/managed-schema.json', import.meta.url), 'utf8');
  expect(JSON.parse(file)).toEqual(schema);
});

describe('a policy', () => {
  it('may be a file of the settings with rules beside it', () => {
    const { rules, presets } = readPolicy({
      portside: 1,
      exportedAt: '2026-11-27T09:00:00.000Z',
      mcpServers: { Wiki: { type: 'http', url: 'https://wiki.example/mcp' } },
      providers: [
        { name: 'Gateway', preset: 'custom', baseUrl: 'https://ai.example/v1', model: 'm', models: [] },
      ],
      settings: { maxIterations: 5, seenHints: ['keyword'] },
      ownProviders: false,
    });
    expect(rules).toMatchObject({ settings: { maxIterations: 5 }, ownProviders: false, ownServers: true });
    expect(rules.settings).not.toHaveProperty('seenHints');
    expect(presets?.mcpServers).toEqual({ Wiki: { type: 'http', url: 'https://wiki.example/mcp' } });
    expect(presets?.providers).toMatchObject([{ name: 'Gateway' }]);
  });

  it('that can’t be read allows nothing that it could forbid, and says where it is wrong', () => {
    for (const [policy, where] of [
      [{ tools: { allowed: 'portside/*' } }, 'tools.allowed'],
      [{ settings: { theme: 'drak' } }, 'settings.theme'],
      [{ settings: { maxIterations: 500 } }, 'settings.maxIterations'],
      [{ providers: [{ name: 'Gateway' }] }, 'providers.0.preset'],
    ] as const) {
      const { rules, presets } = readPolicy(policy);
      const none = { ownProviders: false, ownServers: false, sync: false, tools: { allowed: [] } };
      expect(rules).toMatchObject(none);
      expect(rules.fault).toBe(where);
      expect(presets).toBeUndefined();
    }
  });
});

it('the examples of docs/fleet.md are policies without a mistake', () => {
  const page = readFileSync(new URL('../../docs/fleet.md', import.meta.url), 'utf8');
  const blocks = [...page.matchAll(/```json\n([^`]*)```/g)].map(([, json = '']) => JSON.parse(json));
  expect(blocks).toHaveLength(2);
  for (const block of blocks) {
    const third = (block.policies ?? block)['3rdparty'];
    const [policy] = Object.values(third.extensions ?? third.Extensions);
    expect(readPolicy(policy as object).rules.fault).toBeUndefined();
  }
});

describe('the rules', () => {
  const hold = (policy: object) => setRules(readPolicy(policy).rules);

  it('name tools by the place that they are of: another server’s name does not count', () => {
    hold({ tools: { allowed: ['portside/*', 'Wiki/*', '*/find'], forbidden: ['*/delete', 'Wiki/write'] } });
    const wiki = { managed: { name: 'Wiki', as: '' } };
    expect(isToolForbidden({ serverId: OWN_TOOLS, name: 'click' }, undefined)).toBe(false);
    expect(isToolForbidden({ serverId: 1, name: 'read' }, wiki)).toBe(false);
    expect(isToolForbidden({ serverId: 1, name: 'write' }, wiki)).toBe(true);
    expect(isToolForbidden({ serverId: 1, name: 'delete' }, wiki)).toBe(true);
    expect(isToolForbidden({ serverId: 2, name: 'read' }, { name: 'Wiki' })).toBe(true);
    expect(isToolForbidden({ serverId: 2, name: 'find' }, { name: 'Wiki' })).toBe(false);
    expect(isToolForbidden({ serverId: PAGE_TOOLS, name: 'buy' }, undefined)).toBe(true);
  });

  it('forbid the tools of servers that may not be used', () => {
    hold({ ownServers: false });
    expect(isToolForbidden({ serverId: 2, name: 'read' }, {})).toBe(true);
    expect(isToolForbidden({ serverId: OWN_TOOLS, name: 'click' }, undefined)).toBe(false);
  });

  it('hold for a site and those below it, and what is forbidden goes first', () => {
    hold({ sites: { allowed: ['example.com'], forbidden: ['bank.example.com'] } });
    expect(isSiteForbidden(['https://shop.example.com'])).toBe(false);
    expect(isSiteForbidden(['https://bank.example.com'])).toBe(true);
    expect(isSiteForbidden(['https://shop.example.com', 'https://other.org'])).toBe(true);
  });

  it('name importers as users know them', () => {
    hold({ importers: { allowed: ['chatgpt'] } });
    expect(() => requireImporter('ChatGPT')).not.toThrow();
    expect(() => requireImporter('Claude')).toThrow('Your organisation');
  });
});
