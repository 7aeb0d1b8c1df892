import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../lib/errors.ts';
import type { ServerPrompt } from '../../lib/protocol/attached.ts';
import {
  contextEntries,
  groupOffers,
  isNamed,
  lackOf,
  MOST_SHOWN,
  promptEntries,
  type MenuEntry,
} from '../../lib/state/composer/menu-entries.ts';
import { createPanel, type Panel } from '../../lib/state/panel.ts';
import { triggerAt } from '../../lib/state/composer/trigger.ts';
import type { AttachmentSummary } from '../../lib/types/attachment.ts';
import { countingIds, fakeWorker, rows, setup, snapshot, user } from './fake-worker.ts';

const prompt = (name: string, more: Partial<ServerPrompt> = {}): ServerPrompt => ({
  serverId: 1,
  serverName: 'Everything',
  name,
  description: '',
  arguments: [],
  ...more,
});
const asking = prompt('city', {
  arguments: [
    { name: 'city', description: '', required: true },
    { name: 'state', description: '', required: false },
  ],
});
const resource = {
  serverId: 1,
  serverName: 'Everything',
  name: 'features.md',
  description: '',
  uri: 'demo://features.md',
};
const template = {
  serverId: 2,
  serverName: 'GitHub',
  name: 'File',
  description: '',
  uriTemplate: 'repo://{owner}{/path*}{?ref}',
};
const attachment = (id: string): AttachmentSummary => ({
  id,
  title: 'features.md',
  source: { type: 'resource', serverId: 1, serverName: 'Everything', uri: resource.uri },
  tokens: 12,
});
const typedPrompt = (id: string): AttachmentSummary => ({
  ...attachment(id),
  source: { type: 'prompt', serverId: 1, serverName: 'Everything', name: 'simple', isTyped: true },
});

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function open(): {
  panel: Panel;
  worker: ReturnType<typeof fakeWorker>;
  write: (text: string) => Promise<void>;
} {
  const worker = fakeWorker();
  worker.answer.listPrompts = () => [prompt('simple'), asking];
  worker.answer.listResources = () => ({ resources: [resource], templates: [template] });
  const panel = createPanel(worker.link, {
    nextFrame: () => undefined,
    newId: countingIds(),
    now: () => '2026-11-21T10:00:00.000Z',
    ownWindow: async () => 1,
  });
  panel.start();
  worker.say(snapshot({ messages: [user(1)] }));
  const write = async (text: string): Promise<void> => {
    panel.type(text);
    panel.menu.look(text, text.length);
    await settled();
  };
  return { panel, worker, write };
}
const nameOf = (entry: MenuEntry): string => {
  if (entry.type === 'saved') return entry.prompt.name;
  if (entry.type === 'action') return `/${entry.action}`;
  if (entry.type === 'starter') return `+${entry.starter.id}`;
  if ('group' in entry) return entry.title;
  return entry.type === 'files' ? 'files' : entry.offer.name;
};
const found = (panel: Panel): MenuEntry[] => panel.menu.found.value.groups.flatMap(({ entries }) => entries);
const shown = (panel: Panel): string[] => found(panel).map(nameOf);
/** Those of servers. */
const offered = (panel: Panel): string[] =>
  found(panel).flatMap((entry) => ('offer' in entry ? [entry.offer.name] : []));
const pick = async (panel: Panel, name: string): Promise<void> => {
  const entry = [...(panel.menu.offered.value ?? []), ...found(panel)].find((each) => nameOf(each) === name);
  if (entry?.type === 'starter') return panel.menu.chooseStarter(entry.starter);
  if (!entry || entry.type === 'action' || entry.type === 'files' || 'group' in entry)
    throw new Error(`${name} is not listed`);
  await panel.menu.choose(entry);
};
const asked = (worker: ReturnType<typeof fakeWorker>, command: string): unknown[] =>
  worker.sent.filter((sent) => sent.command === command).map(({ request }) => request);

describe('what opens a menu', () => {
  it.each([
    ['/', { kind: 'prompts', start: 0, query: '' }],
    ['/sim', { kind: 'prompts', start: 0, query: 'sim' }],
    ['see @', { kind: 'context', start: 4, query: '' }],
    ['(@feat', { kind: 'context', start: 1, query: 'feat' }],
    ['/sim @x', { kind: 'context', start: 5, query: 'x' }],
  ])('%j does', (text, expected) => {
    expect(triggerAt(text, text.length)).toMatchObject(expected);
  });

  it.each(['', 'a/b', ' /x', '/sim now', 'ada@example.com', 'see @x y'])('%j does not', (text) => {
    expect(triggerAt(text, text.length)).toBeNull();
  });

  it('is what stands before the caret', () => {
    expect(triggerAt('/simple', 3)).toMatchObject({ query: 'si', end: 3 });
  });
});

describe('what a menu lists', () => {
  it('is grouped by server, with what begins with the query first', () => {
    const entries = promptEntries([
      prompt('a-sum'),
      prompt('sum'),
      prompt('sum', { serverId: 2, serverName: 'B' }),
    ]);
    const { groups } = groupOffers(entries, 'SUM');
    expect(groups.map(({ title, entries: listed }) => [title, listed.map(nameOf)])).toEqual([
      ['Everything', ['sum', 'a-sum']],
      ['B', ['sum']],
    ]);
  });

  it('is found by its address too, and only so much of it is shown', () => {
    const resources = Array.from({ length: MOST_SHOWN + 5 }, (_, index) => ({
      ...resource,
      uri: `demo://doc${index}`,
    }));
    expect(groupOffers(contextEntries({ resources, templates: [] }), '').left).toBe(5);
    expect(groupOffers(contextEntries({ resources, templates: [template] }), 'repo:').groups[0]?.title).toBe(
      'GitHub',
    );
  });

  it('says why it lists nothing', () => {
    const entries = promptEntries([prompt('x')]);
    const all = { query: '', found: [], connected: 1 };
    expect(lackOf({ ...all, offered: null, connected: 0 })).toBe('no_servers');
    expect(lackOf({ ...all, offered: null })).toBe('loading');
    expect(lackOf({ ...all, offered: [] })).toBe('nothing_offered');
    expect(lackOf({ ...all, offered: entries, query: 'y' })).toBe('no_match');
    expect(lackOf({ ...all, offered: [], query: 'y' })).toBe('no_match');
    expect(lackOf({ ...all, offered: entries, found: groupOffers(entries, '').groups })).toBeNull();
  });
});

describe('a query', () => {
  const entries = promptEntries([
    prompt('weekly-report'),
    prompt('other', { title: 'Report of the week' }),
    prompt('rest'),
  ]);
  const names = (query: string): string[] =>
    groupOffers(entries, query).groups.flatMap((group) => group.entries.map(nameOf));

  it('finds beginnings first, then words, then what holds it, then its letters in this order', () => {
    expect(names('re')).toEqual(['rest', 'weekly-report', 'other']);
    expect(names('port')).toEqual(['weekly-report', 'other']);
    expect(names('wrpt')).toEqual(['weekly-report']);
    expect(names('xyz')).toEqual([]);
  });

  it('may be several words, each of which is somewhere', () => {
    expect(names('week report')).toEqual(['weekly-report', 'other']);
    expect(names('week nothing')).toEqual([]);
  });

  it('may hold spaces as long as it names something', () => {
    expect(isNamed(entries, 'report of')).toBe(true);
    expect(isNamed(entries, 'report ')).toBe(true);
    expect(isNamed(entries, 'rest ')).toBe(false);
    const at = (text: string) => triggerAt(text, text.length, (_kind, query) => isNamed(entries, query));
    expect(at('see @report of')).toMatchObject({ kind: 'context', query: 'report of' });
    expect(at('/report of')).toMatchObject({ kind: 'prompts', query: 'report of' });
    expect(at('see @rest of it')).toBeNull();
    expect(at('see @ ')).toBeNull();
    expect(at('/usr is @rest')).toMatchObject({ kind: 'context', query: 'rest' });
  });
});

describe('the user’s own entries', () => {
  const saved = { id: 7, name: 'Weekly report', text: 'Report on {{topic}} for {{ whom }}, {{{topic}}}.' };

  async function openWithSaved() {
    const opened = open();
    opened.worker.say({
      type: 'setup',
      setup: { ...setup, prompts: [saved, { id: 8, name: 'Plain', text: 'Hi.' }] },
    });
    return opened;
  }

  it('stand before and after those of the servers', async () => {
    const { panel, write } = await openWithSaved();
    await write('/');
    expect(panel.menu.found.value.groups.map(({ title }) => title)).toEqual([
      'Saved prompts',
      'Everything',
      'Portside',
    ]);
    expect(shown(panel).slice(-8)).toEqual([
      '/new',
      '/compact',
      '/rename',
      '/export',
      '/delete',
      '/save',
      '/prompts',
      '/settings',
    ]);
  });

  it('are actions on a chat only where there is one, and leave the text without what named them', async () => {
    const { panel, write } = await openWithSaved();
    panel.type('/Hello');
    panel.menu.look('/Hello', 1);
    await settled();
    expect(shown(panel)).toContain('/save');
    expect(panel.menu.take()).toBe('Hello');
    expect(panel.text.value).toBe('Hello');
    expect(panel.menu.open.value).toBeNull();
    panel.show(null);
    await write('/');
    expect(shown(panel).filter((name) => name.startsWith('/'))).toEqual([
      '/new',
      '/save',
      '/prompts',
      '/settings',
    ]);
  });

  it('are found by their names before those that only say such a word of themselves', async () => {
    const { write, panel } = await openWithSaved();
    await write('/save');
    expect(shown(panel).filter((name) => name.startsWith('/'))).toEqual(['/save', '/export', '/prompts']);
    await write('/chat');
    expect(shown(panel)[0]).toBe('/new');
  });

  it('put a saved prompt’s text where its name stood', async () => {
    const { panel, write } = await openWithSaved();
    await write('/pl');
    await pick(panel, 'Plain');
    expect(panel.text.value).toBe('Hi.');
    expect(panel.menu.open.value).toBeNull();
  });

  it('ask for a saved prompt’s variables first, each once', async () => {
    const { panel, worker, write } = await openWithSaved();
    await write('/weekly rep');
    await pick(panel, 'Weekly report');
    expect(panel.menu.filling.value?.arguments.map(({ name }) => name)).toEqual(['topic', 'whom']);
    await panel.menu.accept({ topic: '$& costs', whom: '{{topic}}' });
    expect(panel.text.value).toBe('Report on $& costs for {{topic}}, $& costs.');
    expect(asked(worker, 'getPrompt')).toEqual([]);
    expect(panel.menu.filling.value).toBeNull();
  });

  it('begin the menu of context with files', async () => {
    const { panel, write } = await openWithSaved();
    await write('@');
    expect(shown(panel)).toEqual(['files', 'features.md', 'File']);
  });
});

describe('the preview of a resource', () => {
  it('shows what would be sent, or why that can’t be told', async () => {
    const { panel, worker } = open();
    const sent = { text: 'Buy milk', pictures: [], tokens: 12 };
    worker.answer.previewResource = () => sent;
    await panel.menu.preview.show(resource);
    expect(panel.menu.preview.shown.value).toEqual({ resource, content: sent });
    worker.answer.previewResource = () => {
      throw new AppError({ code: 'resource_failed', message: 'It is gone.' });
    };
    await panel.menu.preview.show(resource);
    expect(panel.menu.preview.shown.value).toMatchObject({
      content: null,
      error: { message: 'It is gone.' },
    });
    expect(asked(worker, 'previewResource')).toHaveLength(2);
    expect(asked(worker, 'attachResource')).toEqual([]);
  });

  it('that was closed stays so', async () => {
    const { panel, worker } = open();
    const reply = Promise.withResolvers<unknown>();
    worker.answer.previewResource = () => reply.promise;
    const showing = panel.menu.preview.show(resource);
    panel.menu.preview.close();
    reply.resolve({ text: '', pictures: [], tokens: 1 });
    await showing;
    expect(panel.menu.preview.shown.value).toBeNull();
  });
});

describe('the menu of prompts', () => {
  it('opens at a slash and narrows as one types', async () => {
    const { panel, write } = open();
    await write('/');
    expect(panel.menu.open.value).toBe('prompts');
    expect(offered(panel)).toEqual(['simple', 'city']);
    await write('/ci');
    expect(shown(panel)[0]).toBe('city');
    await write('/ci is all');
    expect(panel.menu.open.value).toBeNull();
  });

  it('stays closed once it was closed, until the sign is typed anew', async () => {
    const { panel, write } = open();
    await write('/');
    panel.menu.close();
    await write('/s');
    expect(panel.menu.open.value).toBeNull();
    expect(panel.text.value).toBe('/s');
    await write('');
    await write('/');
    expect(panel.menu.open.value).toBe('prompts');
  });

  it('opens again in the message after one that was sent with it closed', async () => {
    const { panel, worker, write } = open();
    worker.answer.startRun = () => 'started';
    await write('/');
    panel.menu.close();
    await panel.send();
    await write('/');
    expect(panel.menu.open.value).toBe('prompts');
  });

  it('puts a prompt’s text where its name stood, and keeps what else was typed', async () => {
    const { panel, worker, write } = open();
    worker.answer.getPrompt = () => ({ text: 'Do it simply.', attachments: [attachment('d1')] });
    panel.type('/sim and then rest');
    panel.menu.look('/sim and then rest', 4);
    await settled();
    await pick(panel, 'simple');
    expect(panel.text.value).toBe('Do it simply.\nand then rest');
    expect(panel.chat.value.attachments.map(({ id }) => id)).toEqual(['d1']);
    expect(panel.menu.open.value).toBeNull();
    expect(asked(worker, 'getPrompt')).toEqual([
      { serverId: 1, name: 'simple', arguments: {}, conversationId: 'c1', fetchId: 'id1' },
    ]);
    expect(asked(worker, 'startRun')).toEqual([]);
    await write('');
  });

  it('has what a prompt’s text is known by go with it when it was cut out and comes back, and not alone', async () => {
    const { panel, worker, write } = open();
    worker.answer.getPrompt = () => ({ text: 'Do it simply.', attachments: [typedPrompt('d1')] });
    worker.answer.startRun = () => 'started';
    await write('/sim');
    await pick(panel, 'simple');
    await write('');
    await panel.send();
    expect(asked(worker, 'startRun')).toEqual([]);
    await write('Do it simply.');
    await panel.send();
    expect(asked(worker, 'startRun')).toMatchObject([{ message: { attachments: ['d1'] } }]);
  });

  it('has what a prompt’s text is known by go with it, though another page’s message took that along', async () => {
    const { panel, worker, write } = open();
    worker.answer.getPrompt = () => ({ text: 'Do it simply.', attachments: [typedPrompt('d1')] });
    worker.answer.startRun = () => 'started';
    await write('/sim');
    await pick(panel, 'simple');
    worker.say(rows({ attachments: [] }));
    await panel.send();
    expect(asked(worker, 'startRun')).toMatchObject([{ message: { attachments: ['d1'] } }]);
    expect(panel.attaching.toSend()).toEqual([]);
  });

  it('has what a prompt’s text is known by go with it from a panel that was opened again, too', async () => {
    const { panel, worker, write } = open();
    worker.answer.startRun = () => 'started';
    worker.say(rows({ attachments: [typedPrompt('d1')] }));
    await write('Do it simply.');
    await panel.send();
    expect(asked(worker, 'startRun')).toMatchObject([{ message: { attachments: ['d1'] } }]);
  });

  it('leaves what a prompt’s text is known by with its chat', async () => {
    const { panel, worker, write } = open();
    worker.answer.getPrompt = () => ({ text: 'Do it simply.', attachments: [typedPrompt('d1')] });
    await write('/sim');
    await pick(panel, 'simple');
    panel.show(null);
    expect(panel.attaching.toSend()).toEqual([]);
  });

  it('leaves what another page’s text is known by when its own is emptied', async () => {
    const { panel, worker, write } = open();
    worker.say(rows({ attachments: [typedPrompt('d1')] }));
    await write('Do it');
    await write('');
    expect(panel.chat.value.attachments.map(({ id }) => id)).toEqual(['d1']);
    expect(asked(worker, 'detach')).toEqual([]);
  });

  it('asks for a prompt’s arguments first', async () => {
    const { panel, worker, write } = open();
    worker.answer.getPrompt = () => ({ text: 'Weather in Oslo?', attachments: [] });
    await write('/city');
    await pick(panel, 'city');
    expect(panel.menu.open.value).toBeNull();
    expect(panel.menu.filling.value?.arguments.map(({ name, required }) => [name, required])).toEqual([
      ['city', true],
      ['state', false],
    ]);
    await panel.menu.accept({ city: 'Oslo' });
    expect(asked(worker, 'getPrompt')).toMatchObject([{ arguments: { city: 'Oslo' } }]);
    expect(panel.text.value).toBe('Weather in Oslo?');
    expect(panel.menu.filling.value).toBeNull();
  });

  it('keeps the form and says what the server has against the arguments', async () => {
    const { panel, worker, write } = open();
    worker.answer.getPrompt = () => {
      throw new AppError({ code: 'prompt_failed', message: 'There is no such city.' });
    };
    await write('/city');
    await pick(panel, 'city');
    await panel.menu.accept({ city: 'Atlantis' });
    expect(panel.menu.error.value?.message).toBe('There is no such city.');
    expect(panel.menu.filling.value).not.toBeNull();
    expect(panel.text.value).toBe('/city');
    expect(panel.error.value).toBeNull();
  });

  it('tries again what failed', async () => {
    const { panel, worker, write } = open();
    worker.answer.listPrompts = () => {
      throw new AppError({ code: 'server_unreachable', message: 'Everything did not answer.' });
    };
    await write('/');
    expect(panel.menu.error.value?.message).toBe('Everything did not answer.');
    worker.answer.listPrompts = () => [prompt('simple')];
    await panel.menu.retry();
    expect(panel.menu.error.value).toBeNull();
    expect(offered(panel)).toEqual(['simple']);
  });

  it('does not write into another chat what was asked for in this one', async () => {
    const { panel, worker, write } = open();
    const reply = Promise.withResolvers<unknown>();
    worker.answer.getPrompt = () => reply.promise;
    await write('/simple');
    const choosing = pick(panel, 'simple');
    panel.show(null);
    reply.resolve({ text: 'Do it simply.', attachments: [] });
    await choosing;
    expect(panel.text.value).toBe('');
  });

  it('is out of the way while a prompt is fetched, which is said, and says what it fails with', async () => {
    const { panel, worker, write } = open();
    const reply = Promise.withResolvers<unknown>();
    worker.answer.getPrompt = () => reply.promise;
    await write('/simple');
    const choosing = pick(panel, 'simple');
    expect(panel.menu.open.value).toBeNull();
    expect(panel.menu.fetching.value).toMatchObject({ prompt: { name: 'simple', serverName: 'Everything' } });
    reply.reject(new AppError({ code: 'prompt_failed', message: 'It does not answer.' }));
    await choosing;
    expect(panel.menu.error.value?.message).toBe('It does not answer.');
    worker.answer.getPrompt = () => ({ text: 'Do it simply.', attachments: [] });
    await panel.menu.retry();
    expect(panel.text.value).toBe('Do it simply.');
  });

  it.each<[string, (panel: Panel) => unknown]>([
    ['is given up', (panel) => panel.menu.cancel()],
    ['another chat is shown', (panel) => panel.show(null)],
    ['the message is sent without it', (panel) => panel.send()],
    ['another prompt is chosen', (panel) => pick(panel, 'simple')],
  ])('leaves the text and the draft alone once %s', async (_what, giveUp) => {
    const { panel, worker, write } = open();
    const reply = Promise.withResolvers<unknown>();
    worker.answer.getPrompt = () => reply.promise;
    worker.answer.startRun = () => 'started';
    await write('/simple');
    const choosing = pick(panel, 'simple');
    worker.answer.getPrompt = () => new Promise(() => undefined);
    await write('/simple ');
    await write('');
    await write('/');
    void giveUp(panel);
    await settled();
    const text = panel.text.value;
    reply.resolve({ text: 'Do it simply.', attachments: [attachment('d1')] });
    await choosing;
    expect(panel.text.value).toBe(text);
    expect(panel.chat.value.attachments).toEqual([]);
    expect(asked(worker, 'cancelFetch')).toEqual([{ fetchId: 'id1' }]);
    expect(asked(worker, 'detach')).toEqual([{ id: 'd1' }]);
  });

  it('closes its form with what the form was fetching', async () => {
    const { panel, worker, write } = open();
    worker.answer.getPrompt = () => new Promise(() => undefined);
    await write('/city');
    await pick(panel, 'city');
    void panel.menu.accept({ city: 'Oslo' });
    panel.menu.close();
    expect(panel.menu.fetching.value).toBeNull();
    expect(asked(worker, 'cancelFetch')).toEqual([{ fetchId: 'id1' }]);
  });
});

describe('the menu of context', () => {
  it('reads a resource into the draft and takes its sign out of the text', async () => {
    const { panel, worker, write } = open();
    const reply = Promise.withResolvers<unknown>();
    worker.answer.attachResource = () => reply.promise;
    await write('Compare with @feat');
    const choosing = pick(panel, 'features.md');
    expect(panel.text.value).toBe('Compare with ');
    expect(panel.attaching.adding.value).toMatchObject([{ title: 'features.md' }]);
    reply.resolve(attachment('d1'));
    await choosing;
    expect(panel.attaching.adding.value).toEqual([]);
    expect(panel.chat.value.attachments.map(({ id }) => id)).toEqual(['d1']);
    expect(asked(worker, 'attachResource')).toEqual([
      { conversationId: 'c1', serverId: 1, uri: resource.uri, fetchId: 'id1' },
    ]);
  });

  it('asks for what a template needs and expands it', async () => {
    const { panel, worker, write } = open();
    worker.answer.attachResource = () => attachment('d1');
    await write('@');
    await pick(panel, 'File');
    expect(panel.menu.filling.value?.arguments.map(({ name, required }) => [name, required])).toEqual([
      ['owner', true],
      ['path', false],
      ['ref', false],
    ]);
    await panel.menu.accept({ owner: 'octo', path: 'src/a b' });
    expect(asked(worker, 'attachResource')).toMatchObject([{ uri: 'repo://octo/src/a%20b' }]);
  });

  it('opens from its button, and leaves no sign behind when nothing is chosen', async () => {
    const { panel } = open();
    panel.type('Compare');
    panel.menu.openContext();
    await settled();
    expect(panel.menu.open.value).toBe('context');
    panel.menu.close();
    expect(panel.text.value.trim()).toBe('Compare');
  });

  it('shows what could not be read, and reads it again', async () => {
    const { panel, worker, write } = open();
    worker.answer.attachResource = () => {
      throw new AppError({ code: 'resource_failed', message: 'It is gone.' });
    };
    await write('@');
    await pick(panel, 'features.md');
    const [failed] = panel.attaching.adding.value;
    expect(failed?.error?.message).toBe('It is gone.');
    worker.answer.attachResource = () => attachment('d1');
    if (failed) await panel.attaching.retry(failed);
    expect(panel.attaching.adding.value).toEqual([]);
    expect(panel.chat.value.attachments).toHaveLength(1);
  });

  it('puts away what was given up while it was read', async () => {
    const { panel, worker, write } = open();
    const reply = Promise.withResolvers<unknown>();
    worker.answer.attachResource = () => reply.promise;
    await write('@');
    const choosing = pick(panel, 'features.md');
    for (const adding of panel.attaching.adding.value) panel.attaching.giveUp(adding);
    reply.resolve(attachment('d1'));
    await choosing;
    expect(panel.chat.value.attachments).toEqual([]);
    expect(asked(worker, 'detach')).toEqual([{ id: 'd1' }]);
    expect(asked(worker, 'cancelFetch')).toEqual([{ fetchId: 'id1' }]);
  });

  it('keeps what the draft held when reading it once more is given up', async () => {
    const { panel, worker, write } = open();
    worker.say(rows({ attachments: [attachment('d1')] }));
    const reply = Promise.withResolvers<unknown>();
    worker.answer.attachResource = () => reply.promise;
    await write('@');
    const choosing = pick(panel, 'features.md');
    for (const adding of panel.attaching.adding.value) panel.attaching.giveUp(adding);
    reply.resolve(attachment('d1'));
    await choosing;
    expect(panel.chat.value.attachments).toHaveLength(1);
    expect(asked(worker, 'detach')).toEqual([]);
  });
});

describe('completion', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('asks once the user pauses, with the other arguments, and shows only the last answer', async () => {
    const { panel, worker } = open();
    const replies = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()];
    let count = 0;
    worker.answer.complete = () => replies[count++]?.promise;
    panel.type('/city');
    panel.menu.look('/city', 5);
    await vi.advanceTimersByTimeAsync(0);
    await pick(panel, 'city');
    const { completion } = panel.menu.filling.value ?? {};
    if (!completion) throw new Error('nothing is filled in');
    completion.ask('city', { city: 'O', state: 'Ohio' });
    completion.ask('city', { city: 'Os', state: 'Ohio' });
    await vi.advanceTimersByTimeAsync(1000);
    completion.ask('city', { city: 'Osl', state: '' });
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked(worker, 'complete')).toEqual([
      {
        serverId: 1,
        ref: { type: 'prompt', name: 'city' },
        argument: { name: 'city', value: 'Os' },
        others: { state: 'Ohio' },
      },
      {
        serverId: 1,
        ref: { type: 'prompt', name: 'city' },
        argument: { name: 'city', value: 'Osl' },
        others: {},
      },
    ]);
    replies[1]?.resolve({ values: ['Oslo'], hasMore: false });
    replies[0]?.resolve({ values: ['Osaka'], hasMore: false });
    await vi.advanceTimersByTimeAsync(0);
    expect(completion.suggestions.value).toEqual({ argument: 'city', values: ['Oslo'], hasMore: false });
  });
});

describe('a message with attachments', () => {
  it('goes with all of them, even without a word, and they are gone from the draft', async () => {
    const { panel, worker } = open();
    worker.answer.startRun = () => 'started';
    worker.say(rows({ attachments: [attachment('d1'), attachment('d2')] }));
    await panel.send();
    expect(asked(worker, 'startRun')).toEqual([
      { conversationId: 'c1', runId: 'id1', message: { id: 'id2', text: '', attachments: ['d1', 'd2'] } },
    ]);
    expect(panel.chat.value.attachments).toEqual([]);
  });

  it('keeps them when the worker does not take it, and repeats it under the same ids', async () => {
    const { panel, worker } = open();
    worker.answer.startRun = () => {
      throw new Error('no');
    };
    worker.say(rows({ attachments: [attachment('d1')] }));
    await panel.send();
    expect(panel.chat.value.attachments).toHaveLength(1);
    await panel.send();
    const [first, again] = asked(worker, 'startRun');
    expect(again).toEqual(first);
  });

  it('that begins a chat takes those of the new chat along, and shows them until it is taken', async () => {
    const { panel, worker } = open();
    panel.show(null);
    worker.say(snapshot({ conversation: null, attachments: [attachment('d1')] }));
    worker.say(rows({ attachments: [attachment('d1'), attachment('d2')] }));
    expect(panel.chat.value.attachments).toHaveLength(2);
    worker.answer.startRun = async () => {
      await Promise.resolve();
      worker.say(snapshot({ conversation: null }));
      throw new Error('no');
    };
    await panel.send();
    expect(asked(worker, 'startRun')).toMatchObject([{ message: { attachments: ['d1', 'd2'] } }]);
    expect(panel.chat.value.attachments).toHaveLength(2);
  });

  it('forgets at once what was removed', async () => {
    const { panel, worker } = open();
    worker.say(rows({ attachments: [attachment('d1'), attachment('d2')] }));
    const removing = panel.attaching.detach('d1');
    expect(panel.chat.value.attachments.map(({ id }) => id)).toEqual(['d2']);
    await removing;
    expect(asked(worker, 'detach')).toEqual([{ id: 'd1' }]);
  });
});

describe('a skill', () => {
  const skill = {
    serverId: 1,
    serverName: 'Everything',
    uri: 'skill://tea/SKILL.md',
    name: 'tea',
    description: 'Tea',
  };
  const at = { serverId: 1, uri: skill.uri };

  it('is loaded at once where it is allowed, and else only as the user was shown it', async () => {
    const { panel, worker, write } = open();
    worker.answer.listSkills = () => [{ ...skill, isAllowed: true }];
    await write('/tea');
    expect(offered(panel)).toContain('tea');
    await pick(panel, 'tea');
    expect(asked(worker, 'attachSkill')).toMatchObject([at]);
    expect(panel.text.value).toBe('');

    worker.answer.listSkills = () => [{ ...skill, isAllowed: false }];
    await write('/tea');
    await pick(panel, 'tea');
    expect(asked(worker, 'attachSkill')).toHaveLength(1);
    expect(panel.menu.filling.value?.entry).toMatchObject({ type: 'skill' });
    await panel.menu.accept({ fingerprint: 'f1' });
    expect(asked(worker, 'attachSkill')[1]).toMatchObject({ ...at, fingerprint: 'f1' });
    expect(panel.menu.filling.value).toBeNull();
  });
});
