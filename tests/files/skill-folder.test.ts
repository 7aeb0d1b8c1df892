import { expect, it } from 'vitest';
import { skillFolders, skillOf } from '../../lib/files/skill-folder.ts';

const manifest = (...lines: string[]) => ({
  path: 'SKILL.md',
  text: ['---', ...lines, '---', 'Do it.'].join('\n'),
});

it.each([
  ['plain', ['name: tea', 'description: How tea is made: hot'], 'How tea is made: hot'],
  ['quoted', ['description: "Say \\"tea\\""', "name: 'tea'"], 'Say "tea"'],
  ['folded', ['name: tea', 'description: >-', '  How tea', '  is made', 'license: MIT'], 'How tea is made'],
  [
    'over several lines',
    ['name: tea', 'description: How tea', '  is made', '# not: this'],
    'How tea is made',
  ],
])('a skill says what it is called and what it is for: %s', (_how, lines, description) => {
  expect(skillOf([manifest(...lines), { path: 'a.md', text: 'x' }])).toMatchObject({
    name: 'tea',
    skill: { description, files: [{ path: 'a.md', text: 'x' }] },
  });
});

it.each([
  ['no name', ['description: Tea']],
  ['no description', ['name: tea']],
  ['a name that is no name', ['name: Tea Time', 'description: Tea']],
  ['a name in something else', ['metadata:', '  name: tea', 'description: Tea']],
])('a file with %s is none', (_what, lines) => {
  expect(skillOf([manifest(...lines)])).toBeUndefined();
  expect(skillOf([{ path: 'SKILL.md', text: 'name: tea\ndescription: Tea' }])).toBeUndefined();
});

it('each folder with a SKILL.md is a skill, and what is in it a part of it', () => {
  const paths = [
    'all/tea/SKILL.md',
    'all/tea/green/SKILL.md',
    'all/cake/SKILL.md',
    'all/cake/a.md',
    'all/readme.md',
  ];
  const folders = skillFolders(paths.map((path) => ({ path, text: '' })));
  expect(folders.map((files) => files.map(({ path }) => path))).toEqual([
    ['SKILL.md', 'green/SKILL.md'],
    ['SKILL.md', 'a.md'],
  ]);
  expect(skillFolders([{ path: 'readme.md', text: '' }])).toEqual([]);
});
