import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzip } from 'unzipit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { entryOf, newsOf } from '../lib/changelog.ts';
import { LANGUAGES } from '../lib/types/languages.ts';
import config from '../wxt.config.ts';
import { licenseTexts } from '../scripts/licenses.ts';
import { requireReleasable } from '../scripts/changelog.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const versionOf = (file: string): string => (JSON.parse(read(file)) as { version: string }).version;

const changelog =
  '# Changelog\n\n## Unreleased\n\n- New\n\n## 1.2.3 - 2026-11-27\n\n- Old\n\n## 1.2.30 - soon\n\n- No\n';

describe('a release', () => {
  it('has the version of the native host, too', () => {
    expect(versionOf('native-host/package.json')).toBe(versionOf('package.json'));
    expect(versionOf('package-lock.json')).toBe(versionOf('package.json'));
  });

  it('has an entry in the changelog, as what is yet to be released has', () => {
    expect(entryOf(read('CHANGELOG.md'), versionOf('package.json'))).toMatch(/^- /);
  });

  it('is what its tag and a dated entry say', () => {
    requireReleasable(changelog, '1.2.3', 'v1.2.3');
    expect(() => requireReleasable(changelog, '1.2.3', 'v1.2.4')).toThrow('The tag v1.2.4 is not v1.2.3');
    expect(() => requireReleasable(changelog, '1.2.4', 'v1.2.4')).toThrow('CHANGELOG.md has no “## 1.2.4');
    expect(() => requireReleasable(changelog, '1.2.30', 'v1.2.30')).toThrow('CHANGELOG.md has no “## 1.2.30');
  });

  it('takes its notes from its own entry alone', () => {
    expect(entryOf(changelog, '1.2.3')).toBe('- Old');
    expect(entryOf(changelog, '1.2.4')).toBe('- New');
    expect(entryOf('# Changelog\n', '1.2.3')).toBe('');
  });

  it('is told in Settings as plain lines, without links into the checkout', () => {
    const entry =
      '- Apps ([how](docs/apps.md)),\n  and `/skills`.\n- [Imports](docs/import.md), [semver](https://semver.org)';
    expect(newsOf(entry)).toEqual(['Apps, and /skills.', 'Imports, semver']);
  });
});

it('the sources of a release have the pages of each browser’s build', async () => {
  const outDir = mkdtempSync(join(tmpdir(), 'portside-sources-'));
  onTestFinished(() => rmSync(outDir, { recursive: true }));
  const options = { browser: 'chrome', filterEntrypoints: ['page'], outDir, zip: { compressionLevel: 0 } };
  const code = `import { zip } from 'wxt'; await zip(${JSON.stringify(options)});`;
  execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: root, stdio: 'pipe' });
  const [sources = ''] = globSync(join(outDir, '*-sources.zip'));
  const { entries } = await unzip(readFileSync(sources));
  const pages = globSync('entrypoints/*/index.html', { cwd: root });
  expect(pages.filter((page) => !(page.replaceAll('\\', '/') in entries))).toEqual([]);
});

it('holds the licence of each package that it may hold, and its own', () => {
  const texts = licenseTexts();
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
  for (const [name, version] of Object.entries(dependencies)) expect(texts).toContain(`${name} ${version}, `);
  expect(texts).toContain('Copyright (c) 2026 The Portside authors');
  expect(texts).toContain('Copyright (c) 2015-present Jason Miller'); // Preact's
  expect(read('native-host/LICENSE')).toBe(read('LICENSE'));
});

it('the workflows that make one take others’ actions by a commit, which nobody moves as a tag can be', () => {
  const workflows = globSync('.github/workflows/*.yml', { cwd: root }).map(read).join('');
  const used = [...workflows.matchAll(/uses: (.*)/g)].map(([, action = '']) => action);
  expect(used.length).toBeGreaterThan(3);
  expect(used.filter((action) => !/^\.\/|@[0-9a-f]{40} # v[\d.]+$/.test(action))).toEqual([]);
});

type Permissions = Record<'permissions' | 'optional_permissions' | 'optional_host_permissions', string[]>;

it.each(['docs/permissions.md', 'store/permissions.md'])('%s justifies each permission', (page) => {
  const manifest = config.manifest as (env: { browser: string }) => Permissions;
  const asked = ['chrome', 'firefox'].map((browser) => manifest({ browser }));
  const named = asked.flatMap((of) => [...of.permissions, ...of.optional_permissions]);
  const hosts = page.startsWith('store')
    ? ['Host permissions']
    : asked.flatMap((of) => of.optional_host_permissions);
  const text = read(page);
  expect(named.length).toBeGreaterThan(10);
  expect([...named, ...hosts].filter((each) => !text.includes(each))).toEqual([]);
});

it('the short description is as long as stores take', () => {
  const tooLong = globSync('locales/*/manifest.json', { cwd: root }).filter((file) => {
    const { description } = JSON.parse(read(file)) as { description: string };
    return description.length > 132;
  });
  expect(tooLong).toEqual([]);
});

describe('the description in the stores', () => {
  const languages = Object.keys(LANGUAGES);
  const textIn = (language: string): string => read(`store/listings/${language}.txt`);
  /** A head and its paragraph are a line each, for stores keep line breaks. */
  const linesIn = (language: string): string[] => textIn(language).trimEnd().split('\n');
  const english = linesIn('en');

  it('is there in the languages of the extension, and in no other', () => {
    const files = globSync('*', { cwd: join(root, 'store/listings') });
    expect(files.toSorted()).toEqual(languages.map((language) => `${language}.txt`).toSorted());
  });

  it.each(languages)('is whole and as long as stores take: %s', (language) => {
    const lines = linesIn(language);
    expect(lines.map((line) => line === '')).toEqual(english.map((line) => line === ''));
    const heads = lines.filter((_, at) => lines[at - 1] === '');
    expect(heads).toEqual(heads.map((head) => head.toLocaleUpperCase(language)));
    expect(textIn(language)).toMatch(/Portside[^]*MCP/);
    expect(textIn(language).length).toBeGreaterThanOrEqual(250);
    expect(textIn(language).length).toBeLessThanOrEqual(10_000);
  });

  it('stands beside pictures as large as stores take', () => {
    const sizes = languages.flatMap((each) => [`${each}-1280x800`, `${each}-640x400`]);
    for (const name of [...sizes, 'tile-440x280']) {
      const png = readFileSync(join(root, `store/pictures/${name}.png`));
      expect(name).toContain(`-${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`); // of its header
    }
  });

  it.each(languages.slice(1))('is translated: %s', (language) => {
    expect(linesIn(language).filter((line) => line !== '' && english.includes(line))).toEqual([]);
  });
});
