import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { asNews, entryOf, requireReleasable } from '../scripts/changelog.ts';

const read = (file: string): string => readFileSync(join(import.meta.dirname, '..', file), 'utf8');
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
    expect(entryOf('# Changelog\n', '1.2.3')).toBeUndefined();
  });

  it('shows none of the links that lead into the checkout', () => {
    expect(
      asNews('- Apps ([how](docs/apps.md)) and [imports](docs/import.md), [semver](https://semver.org)'),
    ).toBe('- Apps and imports, [semver](https://semver.org)');
  });
});
