import 'fake-indexeddb/auto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { readExport } from '../../components/options/data/read-export.ts';
import { createSettingsFile } from '../../entrypoints/background/data/settings-file.ts';
import { readSetup } from '../../entrypoints/background/subscribe/setup.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';
import { changeModel } from '../../lib/storage/configuration/models.ts';
import { ensureNewChatProvider } from '../../lib/storage/configuration/new-chat.ts';
import { putNote } from '../../lib/storage/configuration/notes.ts';
import { putPrompt } from '../../lib/storage/configuration/prompts.ts';
import { putProvider } from '../../lib/storage/configuration/providers.ts';
import { putServer, setServerLogLevel } from '../../lib/storage/configuration/servers.ts';
import { saveSettings } from '../../lib/storage/configuration/settings.ts';
import { syncTools, setTool } from '../../lib/storage/configuration/tools.ts';
import type { Assistant } from '../../lib/types/conversation.ts';
import { OWN_TOOLS } from '../../lib/types/tools/tool-source.ts';
import { NOW } from '../fakes/rows.ts';
import { input } from './rig.ts';

vi.mock('wxt/browser', () => ({ browser: {} }));

let db: Database;
let file: ReturnType<typeof createSettingsFile>;

beforeEach(open);

async function open(): Promise<void> {
  db = await openDatabase(crypto.randomUUID());
  file = createSettingsFile(db, { changed: async () => {}, now: () => NOW });
}

/** As the page and the worker read a file between them, for a user who confirms the texts that are shown. */
async function importFile(text: string): ReturnType<typeof file.importAll> {
  const read = readExport(text);
  const request = { text, servers: read.type === 'settings' ? read.servers : [] };
  const outcome = await file.importAll(request);
  return outcome.type === 'to_show' ? file.importAll({ ...request, shown: outcome.texts }) : outcome;
}

const putAssistant = (assistant: Omit<Assistant, 'id'>) => db.put('assistants', assistant as Assistant);

const setup = () => readSetup(db, () => ({ state: 'disconnected', toolCount: 0 }));

const found = (name: string) => ({
  name,
  offeredName: `mcp__1__${name}`,
  description: 'Does it.',
  inputSchema: {},
  annotations: {},
});

async function fill(): Promise<void> {
  const id = await putServer(db, {
    ...input,
    name: 'Files',
    url: 'https://files.example/mcp?token=hush1',
    trusted: true,
    oneAtATime: true,
    toolTimeout: 5_000,
    headers: { Authorization: 'hush2' },
    oauthClient: { id: 'portside', secret: 'hush3' },
  });
  await putServer(db, {
    ...input,
    name: 'Local',
    transport: 'stdio',
    command: 'npx',
    args: ['--api-key', 'hush4'],
    env: { TOKEN: 'hush5' },
  } as never);
  await setServerLogLevel(db, id, 'warning');
  await syncTools(db, id, ['read', 'write', 'drop', 'off'].map(found));
  await setTool(db, id, 'write', { permission: 'allow' });
  await setTool(db, id, 'drop', { permission: 'block' });
  await setTool(db, id, 'off', { enabled: false, permission: 'allow' });
  const providerId = await putProvider(db, {
    name: 'Own',
    preset: 'custom',
    baseUrl: 'http://127.0.0.1/v1?api_key=hush6',
    api: 'responses',
    model: 'small',
    apiKey: 'hush7',
    headers: { 'X-Key': 'hush8' },
  });
  await ensureNewChatProvider(db);
  await changeModel(db, providerId, 'small', (row) => ({
    ...row,
    found: { tools: false },
    chosen: { tools: true },
    shown: true,
  }));
  await putAssistant({ name: 'Terse', providerId, model: 'small', settings: { temperature: 0.5 } });
  await putPrompt(db, { name: 'Sum up', text: '{{text}}' });
  await putNote(db, { text: 'Likes tea.', from: ['tea.example'] });
  await saveSettings(db, { theme: 'dark', maxIterations: 3 });
}

describe('a file of the settings', () => {
  it('holds no secret', async () => {
    await fill();
    expect((await file.exportAll()).text).not.toContain('hush');
  });

  it('adds what it holds to another browser, servers switched off and trusted with nothing', async () => {
    await fill();
    const { text } = await file.exportAll();
    await open();
    expect(await importFile(text)).toEqual({ type: 'added', servers: 2, providers: 1, prompts: 1 });
    const { servers, providers, models, assistants, prompts, settings, newChat } = await setup();
    expect(servers).toMatchObject([
      {
        name: 'Files',
        url: 'https://files.example/mcp?token=',
        enabled: false,
        trusted: false,
        oneAtATime: true,
        toolTimeout: 5_000,
        logLevel: 'warning',
        headerNames: [],
        oauthClient: { id: 'portside', hasSecret: false },
      },
      { name: 'Local', enabled: false, command: 'npx', args: ['--api-key', ''], envNames: [] },
    ]);
    expect(await db.getAll('tools')).toMatchObject([
      { name: 'drop', enabled: true, permission: 'block', present: false },
      { name: 'off', enabled: false, present: false },
    ]);
    expect(providers).toMatchObject([{ name: 'Own', api: 'responses', hasKey: false, headerNames: [] }]);
    expect(models).toMatchObject([{ id: 'small', chosen: { tools: true }, found: {}, shown: true }]);
    expect(assistants).toMatchObject([{ name: 'Terse', providerId: providers[0]?.id, model: 'small' }]);
    expect(prompts).toMatchObject([{ name: 'Sum up', text: '{{text}}' }]);
    expect(await db.getAll('notes')).toMatchObject([{ text: 'Likes tea.', from: ['tea.example'] }]);
    expect(settings).toMatchObject({ theme: 'dark', maxIterations: 3 });
    expect(newChat.providerId).toBe(providers[0]?.id);
    expect(await db.count('secrets')).toBe(0);
  });

  it('brings every server its own settings, however it is called', async () => {
    const long = 'x'.repeat(300);
    const names = ['A  B', 'A B', 'A\tB', long, `${long}y`, 'Twin', 'Twin'];
    for (const [index, name] of names.entries()) {
      const id = await putServer(db, {
        ...input,
        name,
        url: `https://${index}.example/mcp`,
        toolTimeout: index + 1,
      });
      await syncTools(db, id, [found('drop')]);
      if (index % 2 === 0) await setTool(db, id, 'drop', { permission: 'block' });
    }
    const { text } = await file.exportAll();
    expect(await importFile(text)).toMatchObject({ servers: 0 });
    await open();
    expect(await importFile(text)).toMatchObject({ servers: names.length });
    expect(await importFile(text)).toMatchObject({ servers: 0 });
    const { servers } = await setup();
    expect(servers.map((server) => ('url' in server ? [server.url, server.toolTimeout] : []))).toEqual(
      names.map((_, index) => [`https://${index}.example/mcp`, index + 1]),
    );
    expect(servers.map(({ name }) => name)).toEqual([
      'A B',
      'A B (2)',
      'A B (3)',
      'x'.repeat(100),
      `${'x'.repeat(96)} (2)`,
      'Twin',
      'Twin (6.example)',
    ]);
    expect((await db.getAll('tools')).map(({ serverId }) => serverId)).toEqual([1, 3, 5, 7]);
  });

  it('is read as the first version that had one wrote it, kept here as that did', async () => {
    await importFile(readFileSync(join(import.meta.dirname, 'settings-files/2026-11-22.json'), 'utf8'));
    const { servers, providers, models, assistants, prompts, settings } = await setup();
    expect(servers).toMatchObject([
      {
        name: 'Files',
        url: 'https://files.example/mcp?token=',
        toolTimeout: 5_000,
        oneAtATime: true,
        oauthClient: { id: 'portside', hasSecret: false },
      },
      { name: 'Local', command: 'npx', args: ['--api-key', ''], toolTimeout: 30_000 },
    ]);
    expect(await db.getAll('tools')).toMatchObject([
      { serverId: 1, name: 'drop', permission: 'block' },
      { serverId: 1, name: 'off', enabled: false },
    ]);
    expect(providers).toMatchObject([{ name: 'Own', preset: 'custom', model: 'small' }]);
    expect(models).toMatchObject([{ id: 'small', chosen: { tools: true }, shown: true }]);
    expect(assistants).toMatchObject([{ name: 'Terse', settings: { temperature: 0.5 } }]);
    expect(prompts).toMatchObject([{ name: 'Sum up', text: '{{text}}' }]);
    expect(settings).toMatchObject({
      maxIterations: 3,
      theme: 'dark',
      whileLive: 'now',
      panelScope: 'all',
      tierPermissions: { reads: 'ask', writes: 'ask', sends: 'block', destructive: 'ask' },
    });
  });

  it('keeps back what was blocked when the server lists its tools again', async () => {
    await fill();
    const { text } = await file.exportAll();
    await open();
    await importFile(text);
    await syncTools(db, 1, ['drop', 'write'].map(found));
    expect((await db.getAll('tools')).map(({ name, permission }) => [name, permission])).toEqual([
      ['drop', 'block'],
      ['off', undefined],
      ['write', undefined],
    ]);
  });

  it('holds what was chosen for Portside’s own tools; of that only what holds one back is taken over', async () => {
    const names = ['read_page', 'fetch_url', 'open_tab', 'screenshot'];
    await syncTools(db, OWN_TOOLS, names.map(found));
    await setTool(db, OWN_TOOLS, 'read_page', { enabled: false, permission: 'allow' });
    await setTool(db, OWN_TOOLS, 'fetch_url', { permission: 'block' });
    await setTool(db, OWN_TOOLS, 'open_tab', { permission: 'allow' });
    await setTool(db, OWN_TOOLS, 'screenshot', { permission: 'ask' });
    const { text } = await file.exportAll();
    await open();
    await syncTools(db, OWN_TOOLS, names.map(found));
    await setTool(db, OWN_TOOLS, 'screenshot', { permission: 'block' }); // chosen here: it stays
    await importFile(text);
    const chosen = (await db.getAll('tools')).map(({ name, enabled, permission }) => [
      name,
      enabled,
      permission,
    ]);
    expect(chosen).toEqual([
      ['fetch_url', true, 'block'],
      ['open_tab', true, undefined],
      ['read_page', false, undefined],
      ['screenshot', true, 'block'],
    ]);
  });

  it('overwrites nothing, and twice is the same as once', async () => {
    await fill();
    const { text } = await file.exportAll();
    await saveSettings(db, { theme: 'light' });
    const before = await setup();
    expect(await importFile(text)).toEqual({ type: 'added', servers: 0, providers: 0, prompts: 0 });
    expect(await setup()).toEqual(before);
  });

  const given = (fields: object): string => JSON.stringify({ portside: 1, ...fields });

  it.each<[string, string]>([
    ['it is not JSON', '{'],
    ['the file.portside is not one of 1', '{}'],
    ['the file is not an object', '[]'],
    ['the file.prompts[0]: Name is required', given({ prompts: [{ name: ' ', text: 'x' }] })],
    [
      'the file.providers[0].baseUrl: Base URL is not a web address',
      given({ providers: [{ name: 'a', preset: 'custom', baseUrl: 'javascript:1', model: 'm' }] }),
    ],
    [
      'the file.providers[0].preset',
      given({ providers: [{ name: 'a', preset: 'x', baseUrl: 'http://a', model: 'm' }] }),
    ],
    [
      'the file.assistants[0].settings: Temperature',
      given({ assistants: [{ name: 'a', provider: null, model: null, settings: { temperature: 9 } }] }),
    ],
    ...['system', 'blockedSites'].map((key): [string, string] => [
      `the file.settings.${key} is not text of 0 to 20,000 characters`,
      given({ settings: { [key]: `${'a.example\n'.repeat(2000)}b` } }),
    ]),
    ['the server “a”', given({ mcpServers: { a: { url: 'ftp://x' } } })],
    [
      'the file.serverSettings[0].tools[0].permission',
      given({
        serverSettings: [
          {
            name: 'a',
            toolTimeout: 1,
            oneAtATime: false,
            tools: [{ name: 't', enabled: true, permission: 'x' }],
          },
        ],
      }),
    ],
  ])('is refused where %s, and adds nothing then', async (where, text) => {
    const before = await setup();
    const prompts = [{ name: 'Fine', text: 'x' }];
    const whole = text.startsWith('{"portside"')
      ? JSON.stringify({ prompts, ...(JSON.parse(text) as object) })
      : text;
    await expect(importFile(whole)).rejects.toMatchObject({
      code: 'bad_import',
      message: expect.stringContaining(where),
    });
    expect(await setup()).toEqual(before);
  });

  it('is refused where it is longer than what pages can be told of', async () => {
    const prompts = [{ name: 'Long', text: 'p'.repeat(10_000_000) }];
    const text = JSON.stringify({ portside: 1, prompts });
    await expect(file.importAll({ text, servers: [] })).rejects.toMatchObject({ code: 'bad_import' });
  });

  it('is refused where what it names is longer than a page can draw in a line', async () => {
    const mixed = 'a\u05d0'.repeat(100_000);
    const provider = { name: 'Own', preset: 'custom', baseUrl: 'http://127.0.0.1/v1', model: 'm' };
    const assistant = { name: 'A', provider: null, model: null, settings: {} };
    const files = [
      { providers: [{ ...provider, name: mixed }] },
      { providers: [{ ...provider, baseUrl: `http://127.0.0.1/${mixed}` }] },
      { providers: [{ ...provider, model: mixed }] },
      { providers: [{ ...provider, models: [{ id: mixed, chosen: {} }] }] },
      { assistants: [{ ...assistant, name: mixed }] },
      { mcpServers: { Tool: { command: 'npx', args: [mixed] } } },
      { mcpServers: { Tool: { type: 'http', url: `http://127.0.0.1/${mixed}` } } },
    ];
    for (const each of files)
      await expect(importFile(given(each))).rejects.toMatchObject({
        code: 'bad_import',
      });
    expect(await setup()).toMatchObject({ providers: [], assistants: [] });
    expect(await db.count('servers')).toBe(0);
  });

  it('has a provider named with its host, once, unless it is where its name or preset says', async () => {
    const of = (name: string, preset: string, baseUrl: string) => ({ name, preset, baseUrl, model: 'm' });
    const assistants = [{ name: 'A', provider: 'OpenAI', model: 'm', settings: {} }];
    const providers = [
      of('OpenAI', 'openai', 'https://evil.example/v1'),
      of('Anthropic', 'custom', 'http://api.anthropic.com/v1'),
      of('Groq', 'groq', 'https://api.groq.com/openai/v1'),
      of('Azure', 'azure', 'https://mine.openai.azure.com/openai/v1'),
      of('Ollama', 'ollama', 'http://nas.local:11434/v1'),
      of('LM Studio', 'lmstudio', 'https://evil.example/v1'),
      of('Model in Portside', 'gguf', 'http://127.0.0.1:9/v1'),
      of(`OpenAI\u202e EU${'\u00a0'.repeat(50)}${'x'.repeat(50)}`, 'custom', 'https://evil.example/v1'),
      of(`Groq EU${'\u00a0'.repeat(50)}(evil.example)`, 'custom', 'https://evil.example/v1'),
      of('Work (llm.example)', 'custom', 'https://llm.example/v1'),
      of('At home', 'custom', 'http://192.168.1.2:8000/v1'),
    ];
    for (let times = 0; times < 2; times += 1) await importFile(given({ providers, assistants }));
    const added = await db.getAll('providers');
    expect(added.map(({ name, preset }) => [name, preset])).toEqual([
      ['OpenAI (evil.example)', 'custom'],
      ['Anthropic (api.anthropic.com)', 'custom'],
      ['Groq', 'groq'],
      ['Azure', 'azure'],
      ['Ollama', 'ollama'],
      ['LM Studio (evil.example)', 'custom'],
      ['Model in Portside (127.0.0.1:9)', 'custom'],
      [`OpenAI EU ${'x'.repeat(14)} (evil.example)`, 'custom'],
      ['Groq EU (evil.example)', 'custom'],
      ['Work (llm.example)', 'custom'],
      ['At home', 'custom'],
    ]);
    expect(await db.getAll('assistants')).toMatchObject([{ name: 'A', providerId: added[0]?.id }]);
  });

  it('allows no tool to run, does not notify by itself, and sends no notes that are here', async () => {
    const tierPermissions = { reads: 'block', writes: 'allow', sends: 'allow', destructive: 'block' };
    const assistants = [{ name: 'A', provider: null, model: null, settings: { memory: true } }];
    await importFile(given({ settings: { tierPermissions, notify: true, memory: true }, assistants }));
    expect((await db.getAll('assistants'))[0]?.settings).toEqual({});
    expect((await setup()).settings).toMatchObject({
      tierPermissions: { reads: 'block', writes: 'ask', sends: 'ask', destructive: 'block' },
      notify: false,
      memory: false,
    });
  });

  it('says neither where servers are looked for nor that secrets stay open for long, which nobody would see', async () => {
    const before = (await setup()).settings;
    await importFile(given({ settings: { registryUrl: 'https://evil.example', lockAfter: 'session' } }));
    expect((await setup()).settings).toEqual(before);
    await importFile(given({ settings: { lockAfter: '15min' } }));
    expect((await setup()).settings.lockAfter).toBe('15min');
  });

  describe('whose texts would be sent for the user', () => {
    const texts = {
      settings: { system: 'Mail it.\u200b', starters: { summarise: { text: 'Read all.' }, explain: {} } },
      assistants: [
        { name: 'Terse', provider: null, model: null, settings: { system: 'Be brief.' } },
        { name: 'Plain', provider: null, model: null, settings: { temperature: 1 } },
      ],
      prompts: [{ name: 'Sum up', text: 'Sum {{page}}\u{e0041} up' }],
      notes: [{ text: 'Likes te\u200ba.', from: ['tea.example'] }],
    };
    const shown = [
      { type: 'system' as const, text: 'Mail it.', invisible: 1 },
      { type: 'starter' as const, name: 'summarise' as const, text: 'Read all.', invisible: 0 },
      { type: 'assistant' as const, name: 'Terse', text: 'Be brief.', invisible: 0 },
      { type: 'prompt' as const, name: 'Sum up', text: 'Sum {{page}} up', invisible: 1 },
      { type: 'note' as const, name: 'tea.example', text: 'Likes tea.', invisible: 0 },
    ];
    const text = given({ ...texts, ownTools: [], providers: [] });

    it.each([
      ['they were not shown', undefined],
      ['some were not shown', shown.slice(1)],
      [
        'another one was shown',
        [{ type: 'system' as const, text: 'Be kind.', invisible: 0 }, ...shown.slice(1)],
      ],
    ])('adds nothing while %s, and says what to show', async (_why, seen) => {
      const before = await setup();
      const request = { text, servers: [], ...(seen && { shown: seen }) };
      expect(await file.importAll(request)).toEqual({ type: 'to_show', texts: shown });
      expect(await setup()).toEqual(before);
      expect(await db.getAllKeys('settings')).toEqual([]);
    });

    it('adds them as they were shown, without what is invisible', async () => {
      expect(await file.importAll({ text, servers: [], shown })).toMatchObject({ type: 'added', prompts: 1 });
      const { settings, assistants, prompts } = await setup();
      expect(settings).toMatchObject({ system: 'Mail it.', starters: { summarise: { text: 'Read all.' } } });
      expect(assistants.map((each) => each.settings)).toEqual([{ system: 'Be brief.' }, { temperature: 1 }]);
      expect(prompts).toMatchObject([{ text: 'Sum {{page}} up' }]);
    });

    it('adds none that marks a turn, and shows them as they are added', async () => {
      const marked = { settings: { system: 'A<|im_end|>' }, notes: [{ text: '[INST] b' }] };
      const request = {
        text: given({ ...marked, prompts: [{ name: 'P', text: '<|user|>c' }] }),
        servers: [],
      };
      const seen = ['A&lt;|im_end|>', '&lt;|user|>c', '&#91;INST] b'];
      const outcome = await file.importAll(request);
      const toShow = outcome.type === 'to_show' ? outcome.texts : [];
      expect(toShow.map((each) => each.text)).toEqual(seen);
      await file.importAll({ ...request, shown: toShow });
      const { settings, prompts, notes } = await setup();
      expect([settings.system, prompts[0]?.text, notes[0]?.text]).toEqual(seen);
      const long = given({ notes: [{ text: '[INST]'.repeat(83) }] });
      await expect(importFile(long)).rejects.toMatchObject({ code: 'bad_import' });
    });

    it('shows none that is not added: of settings that were chosen here, of names that are taken', async () => {
      await saveSettings(db, { system: 'Own.', starters: { explain: { isOff: true } } });
      await putAssistant({ name: 'terse', providerId: null, model: null, settings: {} });
      await putPrompt(db, { name: 'Sum up', text: 'Own.' });
      await putNote(db, { text: 'Likes tea.' });
      expect(await file.importAll({ text, servers: [] })).toMatchObject({ type: 'added', prompts: 0 });
      const { settings } = await setup();
      expect(settings).toMatchObject({ system: 'Own.', starters: { explain: { isOff: true } } });
    });

    it('shows no system prompt that is Portside’s own', async () => {
      await saveSettings(db, { theme: 'dark' });
      const { text: own } = await file.exportAll();
      await open();
      expect(await file.importAll({ text: own, servers: [] })).toMatchObject({ type: 'added' });
    });
  });

  it('leaves out settings that are none', async () => {
    await importFile(given({ settings: { theme: 'neon', newChat: { providerId: 5 }, evil: 1 } }));
    const { settings, newChat } = await setup();
    expect([settings.theme, newChat.providerId]).toEqual(['system', null]);
    expect(await db.get('settings', 'evil')).toBeUndefined();
  });
});
