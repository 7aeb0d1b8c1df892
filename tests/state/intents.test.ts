import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../lib/errors.ts';
import type { Intent } from '../../lib/protocol/attached.ts';
import { createPanel, type Panel } from '../../lib/state/panel.ts';
import { countingIds, fakeWorker, snapshot, user } from './fake-worker.ts';

const intent: Intent = {
  id: 'i1',
  windowId: 1,
  text: 'Explain this.',
  asks: true,
  createdAt: '2026-11-21T10:00:00.000Z',
};
const page = { part: 'selection', tabId: 7 } as const;
const attached = {
  id: 'a1',
  title: 'Tides',
  source: { type: 'page', url: 'https://a.example/', at: intent.createdAt, ...page },
  tokens: 9,
};
const refusal = new AppError({ code: 'page_gone', message: 'The tab is gone.' });

let worker: ReturnType<typeof fakeWorker>;
let left: Intent[];

beforeEach(() => {
  worker = fakeWorker();
  left = [];
  worker.answer.nextIntent = () => left[0] ?? null;
  worker.answer.endIntent = () => void left.shift();
  worker.answer.attachPage = () => attached;
});

function open(): Panel {
  const panel = createPanel(worker.link, {
    ownWindow: async () => 1,
    nextFrame: () => undefined,
    newId: countingIds(),
    now: () => intent.createdAt,
  });
  panel.start();
  return panel;
}

/** What was asked of the worker about intents, in order, without what only looks for them. */
const asked = () =>
  worker.sent.filter(({ command }) => /^(startRun|attachPage|endIntent|saveDraft)$/.test(command));
const startRun = (id: string, text: string, attachments?: string[]) => ({
  command: 'startRun',
  request: {
    conversationId: id,
    runId: id,
    message: { id: `${id}-question`, text, ...(attachments && { attachments }) },
  },
});
const ended = (id: string) => ({ command: 'endIntent', request: { id } });

describe('an intent that asks', () => {
  it('is sent in a chat of its own, under ids of its own, and ended after that', async () => {
    const panel = open();
    worker.say(snapshot({ messages: [user(1)] }));
    left.push(intent);
    await panel.takeIntents();
    expect(asked()).toEqual([startRun('i1', 'Explain this.'), ended('i1')]);
    expect(panel.conversationId.value).toBe('i1');
  });

  it('takes along what of the page it is about', async () => {
    left.push({ ...intent, page });
    await open().takeIntents();
    expect(asked()).toEqual([
      { command: 'attachPage', request: { ...page, conversationId: 'i1' } },
      startRun('i1', 'Explain this.', ['a1']),
      ended('i1'),
    ]);
  });

  it('that was left while the panel was closed is asked when it opens, and so are those after it', async () => {
    left.push(intent, { ...intent, id: 'i2', text: 'Translate this.' });
    await open().takeIntents();
    expect(asked()).toEqual([
      startRun('i1', 'Explain this.'),
      ended('i1'),
      startRun('i2', 'Translate this.'),
      ended('i2'),
    ]);
  });

  it('is asked in one of two panels alone', async () => {
    left.push({ ...intent, page });
    const panels = [open(), open()];
    await Promise.all(panels.map((panel) => panel.takeIntents()));
    expect(asked().filter(({ command }) => command === 'startRun')).toHaveLength(1);
  });

  it('leaves what was typed into a chat that has not begun where it is stored', async () => {
    const panel = open();
    worker.say(snapshot({ conversation: null, draft: 'unfinished' }));
    expect(panel.text.value).toBe('unfinished');
    left.push(intent);
    await panel.takeIntents();
    expect(panel.text.value).toBe('');
    expect(asked().filter(({ command }) => command === 'saveDraft')).toEqual([]);
  });

  it('waits in the composer when the worker refuses it, with what goes along', async () => {
    left.push({ ...intent, page });
    worker.answer.startRun = () => {
      throw refusal;
    };
    const panel = open();
    await panel.takeIntents();
    expect(panel.text.value).toBe('Explain this.');
    expect(panel.chat.value.attachments).toEqual([attached]);
  });

  it('about a page that can’t be read waits in the composer, and says why', async () => {
    left.push({ ...intent, page });
    worker.answer.attachPage = () => {
      throw refusal;
    };
    const panel = open();
    await panel.takeIntents();
    expect(asked().map(({ command }) => command)).toEqual(['attachPage', 'endIntent', 'attachPage']);
    expect(panel.text.value).toBe('Explain this.');
    await expect.poll(() => panel.attaching.adding.value[0]?.error?.code).toBe('page_gone');
  });

  it('is tried again another time while nothing can be ended', async () => {
    left.push(intent);
    worker.answer.endIntent = () => {
      throw refusal;
    };
    const panel = open();
    await panel.takeIntents();
    worker.answer.endIntent = () => void left.shift();
    await panel.takeIntents();
    expect(asked().at(-1)).toEqual(ended('i1'));
    expect(left).toEqual([]);
  });
});

describe('an intent that fills the composer', () => {
  it('comes after what is typed there, with its part of the page, and is not sent', async () => {
    left.push({ ...intent, asks: false, page });
    const panel = open();
    await panel.takeIntents();
    worker.say(snapshot({ conversation: null, draft: 'typed before' }));
    expect(panel.text.value).toBe('typed before\nExplain this.');
    expect(asked()).toEqual([
      ended('i1'),
      { command: 'attachPage', request: { ...page, conversationId: 'new', fetchId: 'id1' } },
    ]);
  });
});

describe('an entry of the context menu', () => {
  const entry = (name: string, asks = true): Intent => {
    const { text: _text, ...rest } = intent;
    return { ...rest, entry: name, asks };
  };

  it('asks its question', async () => {
    left.push(entry('selection-explain'));
    await open().takeIntents();
    expect(asked()).toContainEqual(startRun('i1', 'Explain this in simple terms.'));
  });

  it('translates into the language of the browser', async () => {
    left.push(entry('page-translate'));
    await open().takeIntents();
    expect(asked()).toContainEqual(
      startRun('i1', 'Translate this into English. Reply with the translation only.'),
    );
  });

  it('that leaves the question open leaves the composer empty', async () => {
    left.push(entry('selection-ask', false), { ...entry('selection-explain', false), id: 'i2' });
    const panel = open();
    await panel.takeIntents();
    expect(panel.text.value).toBe('Explain this in simple terms.');
  });
});

describe('a saved prompt of the context menu', () => {
  const prompt = (text: string): Intent => ({ ...intent, entry: 'prompt-1', text, page });

  it('is asked with what was selected in the place of its variable', async () => {
    left.push(prompt('Is {{selection}} true?'));
    await open().takeIntents();
    expect(asked()).toContainEqual(startRun('i1', 'Is the attached text true?', ['a1']));
  });

  it('that wants to know more asks for it before it is sent', async () => {
    left.push(prompt('Put {{selection}} into {{language}}.'));
    const panel = open();
    await panel.takeIntents();
    expect(panel.menu.filling.value?.arguments.map(({ name }) => name)).toEqual(['language']);
    await panel.menu.accept({ language: 'Welsh' });
    expect(panel.text.value).toBe('Put the attached text into Welsh.');
    expect(asked().map(({ command }) => command)).not.toContain('startRun');
  });
});
