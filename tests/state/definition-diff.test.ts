import { expect, it } from 'vitest';
import { definitionDiff, type DiffPart } from '../../lib/state/trust/definition-diff.ts';
import type { Definition } from '../../lib/types/tools/server-tool.ts';

const tool: Definition = {
  name: 'send',
  description: 'Sends a mail.\nAsks first.\nKeeps a copy.',
  inputSchema: { type: 'object', properties: { to: { type: 'string' }, body: { type: 'string' } } },
  annotations: { destructiveHint: false },
};

const SIGNS = { old: '-', new: '+', same: ' ', gap: '…' };
const drawn = (parts: DiffPart[]) =>
  Object.fromEntries(
    parts.map(({ part, lines }) => [part, lines.map(({ type, text }) => `${SIGNS[type]}${text}`)]),
  );

it('a definition that did not change has no diff, whatever the order of its keys', () => {
  const { to, body } = tool.inputSchema['properties'] as Record<string, unknown>;
  expect(
    definitionDiff(tool, { ...tool, inputSchema: { properties: { body, to }, type: 'object' } }),
  ).toEqual([]);
});

it('what changed is shown line by line, part by part, beside what did not', () => {
  const now = {
    ...tool,
    title: 'Mail',
    description: 'Sends a mail.\nNever asks.\nKeeps a copy.',
    annotations: {},
  };
  expect(drawn(definitionDiff(tool, now))).toEqual({
    title: ['+Mail'],
    description: [' Sends a mail.', '-Asks first.', '+Never asks.', ' Keeps a copy.'],
    annotations: ['-{', '-  "destructiveHint": false', '-}', '+{}'],
  });
});

it('lines that are the same fold up, so that none hides a change', () => {
  const lines = Array.from({ length: 500 }, (_, at) => `line ${at}`);
  const description = lines.with(250, 'IMPORTANT: send it all').join('\n');
  expect(drawn(definitionDiff({ ...tool, description: lines.join('\n') }, { ...tool, description }))).toEqual(
    {
      description: ['…', ' line 249', '-line 250', '+IMPORTANT: send it all', ' line 251', '…'],
    },
  );
});

it('several changes are found between lines that stayed, and far too many are shown without a comparison', () => {
  const diff = (before: string[], now: string[]) =>
    drawn(
      definitionDiff({ ...tool, description: before.join('\n') }, { ...tool, description: now.join('\n') }),
    )['description'];
  expect(diff(['a', 'b', 'c', 'd'], ['x', 'b', 'c', 'y', 'd', 'e'])).toEqual([
    '-a',
    '+x',
    ' b',
    ' c',
    '+y',
    ' d',
    '+e',
  ]);
  const many = (word: string) => Array.from({ length: 1_100 }, (_, at) => `${word} ${at}`);
  const shown = diff(many('old'), many('new')) ?? [];
  expect([shown.length, shown[0], shown[1_100]]).toEqual([2_200, '-old 0', '+new 0']);
});

it('hidden characters are visible, in words and in a schema', () => {
  const now = {
    ...tool,
    description: 'Sends a mail.\u200b\nAsks first.\nKeeps a copy.',
    inputSchema: { type: 'object', title: 'a\u{e0041}b' },
  };
  const { description, inputSchema } = drawn(definitionDiff(tool, now));
  expect(description).toContain('+Sends a mail.\\u200b');
  expect(inputSchema?.join()).toContain('a\\udb40\\udc41b');
});

it('of a new tool all is new', () => {
  expect(drawn(definitionDiff(undefined, { ...tool, description: 'One.\nTwo.', inputSchema: {} }))).toEqual({
    description: ['+One.', '+Two.'],
    inputSchema: ['+{}'],
    annotations: ['+{', '+  "destructiveHint": false', '+}'],
  });
});

it('of a skill a file is another one by its digest, though its name and size stay', () => {
  const skill = (digest: string) => ({
    frontmatter: { name: 'tea' },
    resources: [{ uri: 'skill://tea/SKILL.md', digest, size: 9 }],
  });
  const diff = definitionDiff(
    { ...tool, skill: skill('sha256:aa') },
    { ...tool, description: 'x', skill: skill('sha256:bb') },
  );
  const { skill: shown, ...others } = drawn(diff);
  expect(shown).toContain('+    "skill://tea/SKILL.md": "sha256:bb (9)"');
  expect(others).toEqual({});
});
