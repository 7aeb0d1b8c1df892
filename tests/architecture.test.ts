import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ASKED_BY } from '../lib/protocol/asked-by.ts';

/** Which rooms each room may import from (architecture.md, "Rooms"). A `type:` entry allows types only. */
const allowed: Record<string, string[]> = {
  'lib/types': [],
  'lib/async.ts': [],
  'lib/base64.ts': [],
  'lib/changelog.ts': [],
  'lib/troubleshooting.ts': [],
  'lib/cron.ts': [],
  'lib/events.ts': [],
  'lib/errors.ts': ['lib/types', 'locales'],
  'lib/origins.ts': ['lib/json.ts'],
  'lib/provider-presets.ts': ['lib/types', 'lib/origins.ts', 'locales'],
  'lib/server-presets.ts': [],
  'lib/header-names.ts': [],
  'lib/control-tokens.ts': [],
  'lib/invisible.ts': ['lib/control-tokens.ts'],
  'lib/json.ts': [],
  'lib/safe-pattern.ts': [],
  'lib/schema-lookup.ts': ['lib/json.ts'],
  'lib/sha256.ts': [],
  'lib/uri-template.ts': ['lib/types'],
  'lib/protocol': ['lib/types', 'lib/errors.ts'],
  'lib/broadcasts.ts': ['lib/types', 'lib/protocol'],
  'lib/messaging.ts': ['lib/types', 'lib/errors.ts', 'lib/protocol', 'locales'],
  'lib/gestures.ts': ['lib/origins.ts', 'lib/open-panel.ts', 'lib/language-model.ts'],
  'lib/language-model.ts': [],
  'lib/gguf': [],
  'lib/open-panel.ts': [],
  'lib/speak-language.ts': ['lib/types', 'locales'],
  'lib/sign-in-window.ts': ['lib/types', 'lib/errors.ts', 'locales'],
  'lib/agent': ['lib/types', 'lib/control-tokens.ts', 'lib/errors.ts', 'lib/invisible.ts', 'locales'],
  'lib/limited-body.ts': [],
  'lib/models': [
    'lib/async.ts',
    'lib/control-tokens.ts',
    'lib/limited-body.ts',
    'lib/types',
    'lib/json.ts',
    'lib/errors.ts',
    'lib/gguf',
    'lib/invisible.ts',
    'lib/language-model.ts',
    'lib/origins.ts',
    'lib/provider-presets.ts',
    'locales',
  ],
  'lib/tools': [
    'lib/types',
    'lib/base64.ts',
    'lib/json.ts',
    'lib/errors.ts',
    'lib/safe-pattern.ts',
    'lib/schema-lookup.ts',
    'lib/unreadable.ts',
    'locales',
  ],
  'lib/trust': ['lib/invisible.ts', 'lib/json.ts', 'lib/types', 'lib/sha256.ts'],
  'lib/files': ['lib/types', 'lib/base64.ts', 'lib/unreadable.ts'],
  'lib/unreadable.ts': ['type:lib/files'],
  'lib/reader': [
    'lib/types',
    'lib/json.ts',
    'lib/async.ts',
    'lib/errors.ts',
    'lib/files',
    'lib/tools',
    'lib/unreadable.ts',
    'locales',
  ],
  'lib/mcp': [
    'lib/control-tokens.ts',
    'lib/types',
    'lib/base64.ts',
    'lib/json.ts',
    'lib/schema-lookup.ts',
    'lib/async.ts',
    'lib/errors.ts',
    'lib/header-names.ts',
    'lib/invisible.ts',
    'lib/origins.ts',
    'locales',
  ],
  'lib/import': [
    'lib/async.ts',
    'lib/types',
    'lib/json.ts',
    'lib/agent',
    'lib/base64.ts',
    'lib/files',
    'type:lib/storage',
    'lib/sha256.ts',
  ],
  'lib/config-file': [
    'lib/types',
    'lib/base64.ts',
    'lib/json.ts',
    'lib/errors.ts',
    'lib/header-names.ts',
    'type:lib/protocol',
    'locales',
  ],
  'lib/fleet/rules.ts': ['lib/types', 'lib/errors.ts', 'locales'],
  'lib/fleet': ['lib/types', 'lib/errors.ts', 'lib/fleet/rules.ts', 'lib/provider-presets.ts', 'lib/storage'],
  'lib/storage': [
    'lib/control-tokens.ts',
    'lib/types',
    'lib/fleet/rules.ts',
    'lib/sha256.ts',
    'lib/errors.ts',
    'lib/invisible.ts',
    'lib/protocol',
    'locales',
  ],
  'lib/sync': [
    'lib/types',
    'lib/invisible.ts',
    'lib/json.ts',
    'lib/errors.ts',
    'lib/base64.ts',
    'lib/limited-body.ts',
    'lib/broadcasts.ts',
    'lib/origins.ts',
    'type:lib/protocol',
    'lib/storage',
  ],
  'lib/runs': ['lib/types', 'lib/errors.ts', 'lib/protocol', 'lib/agent', 'type:lib/storage', 'locales'],
  'lib/state': [
    'lib/async.ts',
    'lib/types',
    'lib/json.ts',
    'lib/errors.ts',
    'lib/protocol',
    'lib/broadcasts.ts',
    'lib/messaging.ts',
    'lib/gestures.ts',
    'lib/control-tokens.ts',
    'lib/invisible.ts',
    'lib/language-model.ts',
    'lib/origins.ts',
    'lib/sign-in-window.ts',
    'type:lib/files',
    'lib/reader',
    'lib/safe-pattern.ts',
    'lib/uri-template.ts',
    'locales',
  ],
  locales: ['lib/types'],
  components: [
    'lib/base64.ts',
    'lib/changelog.ts',
    'lib/json.ts',
    'lib/types',
    'lib/errors.ts',
    'lib/config-file',
    'lib/cron.ts',
    'lib/import',
    'lib/provider-presets.ts',
    'lib/server-presets.ts',
    'lib/protocol',
    'lib/state',
    'lib/gestures.ts',
    'lib/gguf',
    'lib/language-model.ts',
    'lib/origins.ts',
    'lib/speak-language.ts',
    'lib/troubleshooting.ts',
    'lib/uri-template.ts',
    'locales',
  ],
  'native-host': ['lib/json.ts', 'lib/types', 'locales'],
  'entrypoints/sidepanel': ['components', 'lib/state', 'lib/broadcasts.ts', 'lib/messaging.ts', 'locales'],
  'entrypoints/options': ['components', 'lib/state', 'lib/broadcasts.ts', 'lib/messaging.ts', 'locales'],
  'entrypoints/page.ts': ['lib/tools'],
  'entrypoints/offscreen': [
    'lib/types',
    'lib/errors.ts',
    'lib/language-model.ts',
    'lib/models',
    'lib/reader',
    'lib/sync',
  ],
  'entrypoints/sync': ['lib/sync'],
  'entrypoints/reader': [
    'lib/types',
    'lib/base64.ts',
    'lib/files',
    'type:lib/reader',
    'lib/tools',
    'lib/unreadable.ts',
  ],
  'entrypoints/reader-pdf.ts': ['lib/files'],
  'entrypoints/reader-docx.ts': ['lib/files'],
  'entrypoints/gallery': [
    'components',
    'lib/language-model.ts',
    'lib/types',
    'lib/errors.ts',
    'lib/protocol',
    'lib/state',
    'lib/messaging.ts',
    'locales',
  ],
};
/** The composition root wires everything but the views. */
const wiring = 'entrypoints/background';
/** What a page may not touch itself (architecture.md, "Who owns what"). */
const pageRooms = ['components', 'lib/state', 'entrypoints/sidepanel', 'entrypoints/options'];

type Import = { from: string; to: string; typeOnly: boolean };

const root = join(import.meta.dirname, '..');
const files = globSync('{lib,components,entrypoints,locales,native-host}/**/*.{ts,tsx}', {
  cwd: root,
}).toSorted();

function importsOf(file: string): Import[] {
  const source = readFileSync(join(root, file), 'utf8');
  const pattern = /(?:import|export)(?:\s+(type\s+)?(?:[^'"();]*?\sfrom\s+)?|\s*\()['"]([^'"]+)['"]/g;
  return [...source.matchAll(pattern)].map(([, type, specifier = '']) => ({
    from: file,
    to: specifier.startsWith('.') ? relative(root, join(root, dirname(file), specifier)) : specifier,
    typeOnly: type !== undefined,
  }));
}

function roomOf(file: string): string | undefined {
  return [...Object.keys(allowed), wiring].find((room) => file === room || file.startsWith(`${room}/`));
}

/** Why an import is a wrong arrow, or undefined when it is right. */
function wrong({ from, to, typeOnly }: Import): string | undefined {
  const room = roomOf(from);
  const target = roomOf(to);
  if (!room) return `${from} is in no room`;
  if (!target) return `${from} imports ${to}, which is in no room`;
  if (room === target) return undefined;
  if (room === wiring) return target === 'components' ? `${from} imports a view` : undefined;
  const rules = allowed[room] ?? [];
  if (rules.includes(target) || (typeOnly && rules.includes(`type:${target}`))) return undefined;
  return `${from} imports ${to}`;
}

const isLocal = ({ to }: Import) =>
  /^(lib|components|entrypoints|locales|native-host|tests|scripts|demo)\//.test(to);

/** Files that import one another in a circle, types among them: each circle once, from its first file around. */
function circles(imports: Import[]): string[] {
  const targets = Map.groupBy(imports.filter(isLocal), ({ from }) => from);
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, path: string[]): void => {
    const at = path.indexOf(file);
    if (at !== -1) found.push([...path.slice(at), file].join(' -> '));
    if (at !== -1 || done.has(file)) return;
    for (const { to } of targets.get(file) ?? []) visit(to, [...path, file]);
    done.add(file);
  };
  for (const file of targets.keys()) visit(file, []);
  return found;
}

/** The file, and all that it imports to run, and so on. */
function reachable(file: string, imports: Import[], seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const { from, to, typeOnly } of imports) {
    if (from === file && !typeOnly) reachable(to, imports, seen);
  }
  return seen;
}

describe('the rooms', () => {
  const imports = files.flatMap(importsOf);

  it('of lib all stand on the map in docs/architecture.md', () => {
    const map = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
    const isNamed = (entry: string) => map.includes(` ${entry.includes('.') ? entry : `${entry}/`} `);
    expect(readdirSync(join(root, 'lib')).filter((entry) => !isNamed(entry))).toEqual([]);
  });

  it('are seen: the walk finds the files and their imports', () => {
    expect(files.length).toBeGreaterThan(40);
    expect(imports.filter(isLocal).length).toBeGreaterThan(80);
  });

  it('import only in the agreed direction', () => {
    expect(imports.filter(isLocal).map(wrong).filter(Boolean)).toEqual([]);
  });

  it('hold no files that import one another in a circle, types included', () => {
    expect(circles(imports)).toEqual([]);
    const [from, to] = ['lib/a.ts', 'lib/b.ts'];
    const both = [
      { from, to, typeOnly: true },
      { from: to, to: from, typeOnly: false },
    ];
    expect(circles(both)).toEqual(['lib/a.ts -> lib/b.ts -> lib/a.ts']);
  });

  it('use no import() in what the service worker bundles, which does not have it', () => {
    const late = files.filter((file) => /\bimport\s*\(/.test(readFileSync(join(root, file), 'utf8')));
    const bundled = reachable('entrypoints/background/index.ts', imports);
    expect(bundled.size).toBeGreaterThan(100);
    expect(late.filter((file) => bundled.has(file))).toEqual([]);
    expect(late.filter((file) => file.startsWith('components/'))).not.toEqual([]);
  });

  it('keep the words of the pages out of the service worker', () => {
    const bundled = reachable('entrypoints/background/index.ts', imports);
    expect(bundled).toContain('locales/texts/worker.ts');
    expect([...bundled].filter((file) => /^locales\/texts\/(panel|settings)\.ts$/.test(file))).toEqual([]);
  });

  it('have the panel send every command that it may send', () => {
    const panel = reachable('entrypoints/sidepanel/main.tsx', imports);
    const text = files.filter((file) => panel.has(file) && file !== 'lib/protocol/asked-by.ts');
    const source = text.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
    const open = Object.entries(ASKED_BY).flatMap(([command, by]) => (by === 'settings' ? [] : [command]));
    expect(open.filter((command) => !source.includes(`'${command}'`))).toEqual([]);
  });

  it('would notice a wrong arrow', () => {
    const arrow = (from: string, to: string, typeOnly = false) => wrong({ from, to, typeOnly });
    expect(arrow('lib/agent/run.ts', 'lib/storage/chats/runs.ts')).toBeDefined();
    expect(arrow('lib/models/stream-model.ts', 'lib/mcp/names.ts')).toBeDefined();
    expect(arrow('lib/runs/drive.ts', 'lib/storage/chats/runs.ts')).toBeDefined();
    expect(arrow('lib/runs/drive.ts', 'lib/storage/chats/runs.ts', true)).toBeUndefined();
    expect(arrow('components/chat/Log.tsx', 'lib/storage/chats/runs.ts')).toBeDefined();
  });

  it('keep the loop free of the browser, the network, the clock and the database', () => {
    const outside = imports.filter((each) => each.from.startsWith('lib/agent/') && !isLocal(each));
    expect(outside).toEqual([]);
    const text = files
      .filter((file) => file.startsWith('lib/agent/'))
      .map((file) => readFileSync(join(root, file), 'utf8'));
    expect(text.join('\n')).not.toMatch(/\bfetch\(|Date\.now|indexedDB|\bbrowser\.|setTimeout/);
  });

  it('keep browser.*, fetch and the database out of the pages', () => {
    const pages = files.filter((file) => pageRooms.some((room) => file.startsWith(`${room}/`)));
    const touching = pages.filter((file) =>
      /\b(browser|chrome)\.[a-z]|\bfetch\(|indexedDB|from 'idb'/.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(touching).toEqual([]);
  });
});
