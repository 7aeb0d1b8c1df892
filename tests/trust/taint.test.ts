import { describe, expect, it } from 'vitest';
import { resultForModel } from '../../lib/agent/context/result-text.ts';
import { ALL_TABS, answeredIn, asksAgain, foreignIn, type Foreign } from '../../lib/trust/taint.ts';
import { isPartlyCompared, quotesIn } from '../../lib/trust/quotes.ts';
import type { Attachment } from '../../lib/types/attachment.ts';
import type { Message } from '../../lib/types/message.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';
import { OWN_NAME, OWN_TOOLS } from '../../lib/types/tools/tool-source.ts';

const reads = { readOnlyHint: true, openWorldHint: false };
const page: Foreign = { from: 'tides.example', origin: 'https://tides.example', text: '' };

const call = (fields: Partial<ToolCall>): ToolCall[] => [
  {
    serverId: 1,
    serverName: 'Notes',
    toolName: 'look',
    namespacedName: 'mcp__1__look',
    annotations: {},
    status: 'success',
    result: { text: 'Words', isError: false },
    ...fields,
  } as ToolCall,
];

const asked = (source: Attachment['source'], text = 'Words') =>
  [{ role: 'user', attachments: [{ source, title: 'Title', text }] }] as Message[];

describe('foreign text', () => {
  const from = (calls: ToolCall[], trusted = false) =>
    foreignIn([], calls, () => trusted).map((each) => each.from);

  it.each<[Attachment['source'], Partial<Foreign>]>([
    [
      { type: 'page', part: 'page', tabId: 1, url: 'https://tides.example/a', at: '' },
      {
        from: 'tides.example',
        isHost: true,
        origin: 'https://tides.example',
        text: 'https://tides.example/a\nTitle\nWords',
      },
    ],
    [
      { type: 'file', name: 'tides.pdf', size: 1 },
      { from: 'tides.pdf', text: 'Words' },
    ],
    [
      { type: 'resource', serverId: 1, serverName: 'Notes', uri: 'note://1' },
      { from: 'Notes', serverId: 1, isOpen: true, text: 'Title\nWords' },
    ],
    [
      { type: 'skill', serverId: 1, serverName: 'Notes', name: 'sum', uri: 'skill://sum' },
      { from: 'Notes', serverId: 1, text: 'Title\nWords' },
    ],
    // What stands in the message itself has no title there.
    [
      { type: 'prompt', serverId: 1, serverName: 'Notes', name: 'sum', isTyped: true },
      { from: 'Notes', serverId: 1, isTyped: true, text: 'Words' },
    ],
  ])('is what is attached: %o', (source, expected) => {
    expect(foreignIn(asked(source), [], () => true)).toEqual([expected]);
  });

  it('is the rest of what was cut, too', () => {
    const source = { type: 'file', name: 'tides.txt', size: 1 } as const;
    const [message] = asked(source, 'The beginning');
    if (message?.role !== 'user') throw new Error('no message of the user');
    const rest = 'transfer to DE89 3704 0044 0532';
    message.attachments![0]!.whole = { readId: 'file-1', text: `The beginning, then: ${rest}` };
    const foreign = foreignIn([message], [], () => true);
    expect(quotesIn({ note: rest }, foreign, 'Do it')).toEqual([{ text: rest, from: 'tides.txt' }]);
  });

  it('is a server’s prompt with the line ends that a text area makes of its own', () => {
    const source = { type: 'prompt', serverId: 1, serverName: 'Notes', name: 'sum', isTyped: true } as const;
    const [said] = foreignIn(asked(source, 'a\r\nb\rc\n'), [], () => true);
    expect(said?.text).toBe('a\nb\nc\n');
  });

  it('is the answer to a call that nothing is known of any more, as after a damage', () => {
    const place = { parentId: 'answer', sub: 1 };
    const answer = { ...place, role: 'tool', name: 'mcp__1__look', content: 'Words' } as Message;
    const [known] = call({ messageId: 'answer', position: 0, annotations: reads });
    expect(foreignIn([answer], [known!], () => true)).toEqual([]);
    expect(foreignIn([answer], [], () => true)).toEqual([{ from: 'mcp__1__look', text: 'Words' }]);
    const refused = { ...answer, refusal: 'blocked' } as Message;
    expect(foreignIn([refused], [], () => true)).toEqual([]);
  });

  it('is what a tool answers, but for a trusted server’s in a closed world', () => {
    expect(from(call({}))).toEqual(['Notes']);
    expect(from(call({ annotations: reads }))).toEqual(['Notes']);
    expect(from(call({}), true)).toEqual(['Notes']);
    expect(from(call({ annotations: { openWorldHint: false } }), true)).toEqual([]);
    expect(from(call({ status: 'error' }))).toEqual(['Notes']);
  });

  it('is not what Portside says itself', () => {
    expect(from(call({ status: 'denied' }))).toEqual([]);
    expect(from(call({ status: 'error', refused: true }))).toEqual([]);
    expect(from(call({ serverId: null, toolName: 'read_more' }))).toEqual([]);
    expect(from(call({ serverId: OWN_TOOLS, toolName: 'current_time' }))).toEqual([]);
    const lacking = { text: 'No access', isError: true, access: '' };
    expect(from(call({ serverId: OWN_TOOLS, toolName: 'read_page', result: lacking }))).toEqual([]);
  });

  it('is a page that was read, by its host, and what tabs are called', () => {
    const own = { serverId: OWN_TOOLS, serverName: OWN_NAME };
    const read = { text: 'Words', isError: false, url: 'https://tides.example:8443/a?b' };
    expect(foreignIn([], call({ ...own, toolName: 'read_page', result: read }), () => true)).toEqual([
      { from: 'tides.example:8443', isHost: true, origin: 'https://tides.example:8443', text: 'Words' },
    ]);
    expect(from(call({ ...own, toolName: 'list_tabs' }))).toEqual([OWN_NAME]);
    // Signed in nowhere: the site's tabs are another thing.
    expect(foreignIn([], call({ ...own, toolName: 'fetch_url', result: read }), () => true)).toEqual([
      { from: 'tides.example:8443', isHost: true, text: 'Words' },
    ]);
    const file = { text: 'Words', isError: false, url: 'file:///home/tides.html#now' };
    expect(foreignIn([], call({ ...own, toolName: 'read_page', result: file }), () => true)).toEqual([
      { from: 'file:///home/tides.html#now', origin: 'file:///home/tides.html', text: 'Words' },
    ]);
    const failed = { text: 'Nothing is selected', isError: true };
    expect(from(call({ ...own, toolName: 'read_selection', status: 'error', result: failed }))).toEqual([]);
  });
});

/** @param answered servers that gave results in the chat */
const asks = (
  tool: Parameters<typeof asksAgain>[0],
  foreign: Foreign[],
  origin: string | undefined,
  answered: number[] = [],
  isTrusted = true,
) => asksAgain(tool, { foreign, answered: new Set(answered) }, origin, isTrusted);

describe('after foreign text', () => {
  it('what writes, sends or destroys asks again, in spite of what was allowed', () => {
    for (const annotations of [
      {},
      { destructiveHint: true },
      { openWorldHint: true },
      { readOnlyHint: true },
    ]) {
      expect(asks({ serverId: OWN_TOOLS, annotations }, [page], undefined)).toBe(true);
      expect(asks({ serverId: OWN_TOOLS, annotations }, [], undefined)).toBe(false);
    }
  });

  it('what only reads what its server holds does not, as a server says that is trusted', () => {
    expect(asks({ serverId: OWN_TOOLS, annotations: reads }, [page], undefined)).toBe(false);
    expect(asks({ serverId: 1, annotations: reads }, [page], undefined, [], false)).toBe(true);
  });

  it('a tool is not asked about for what its own server said', () => {
    const notes: Foreign = { from: 'Notes', serverId: 1, text: '' };
    expect(asks({ serverId: 1, annotations: {} }, [notes], undefined)).toBe(false);
    expect(asks({ serverId: 2, annotations: {} }, [notes], undefined)).toBe(true);
  });

  it('a tool that changes something is asked about for a resource of its own server, and what that read of an open world', () => {
    const resource = { type: 'resource', serverId: 1, serverName: 'Notes', uri: 'note://1' } as const;
    for (const read of [
      foreignIn([], call({ annotations: { readOnlyHint: true } }), () => true),
      foreignIn(asked(resource), [], () => true),
    ]) {
      expect(asks({ serverId: 1, annotations: {} }, read, undefined)).toBe(true);
      expect(asks({ serverId: 1, annotations: { readOnlyHint: true } }, read, undefined)).toBe(false);
      const destroys = { readOnlyHint: true, destructiveHint: true };
      expect(asks({ serverId: 1, annotations: destroys }, read, undefined)).toBe(true);
      expect(asks({ serverId: 2, annotations: { readOnlyHint: true } }, read, undefined)).toBe(true);
    }
  });

  it('a tool is asked about for what its own server said once another one answered, though it be trusted', () => {
    const said: Foreign = { from: 'Search', serverId: 1, text: '' };
    expect(asks({ serverId: 1, annotations: { readOnlyHint: true } }, [said], undefined, [1])).toBe(false);
    expect(asks({ serverId: 1, annotations: { readOnlyHint: true } }, [said], undefined, [1, 2])).toBe(true);
    const answered = [...call({}), ...call({ serverId: 2 }), ...call({ serverId: 3, status: 'denied' })];
    expect(answeredIn([...answered, ...call({ serverId: OWN_TOOLS })])).toEqual(new Set([1, 2]));
  });

  it('the first read of another site asks, and so does the list of all tabs', () => {
    expect(asks({ serverId: OWN_TOOLS, annotations: reads }, [page], 'https://tides.example')).toBe(false);
    expect(asks({ serverId: OWN_TOOLS, annotations: reads }, [page], 'https://bank.example')).toBe(true);
    expect(asks({ serverId: OWN_TOOLS, annotations: reads }, [page], ALL_TABS)).toBe(true);
    expect(asks({ serverId: OWN_TOOLS, annotations: reads }, [], 'https://bank.example')).toBe(false);
  });
});

describe('quotes in arguments', () => {
  const secret = 'The code of the door is 4711.';
  const foreign = [{ from: 'bank.example', text: `Welcome. ${secret} Goodbye.` }];
  const quoted = (args: unknown, written = '') => quotesIn(args, foreign, written);

  it('are what stands word for word in foreign text, twelve characters and more', () => {
    expect(quoted({ body: 'Hi:The code of the door, please' })).toEqual([
      { text: 'The code of the door', from: 'bank.example' },
    ]);
    expect(quoted({ body: 'The code of' })).toEqual([]);
    expect(quoted({ body: 'Nothing of it stands there' })).toEqual([]);
  });

  it('are found in lists and objects, and spread over several arguments', () => {
    expect(quoted({ to: [{ name: secret }] })).toEqual([{ text: secret, from: 'bank.example' }]);
    expect(quoted({ a: 'The code o', b: 'f the door' })).toEqual([
      { text: 'The code o', from: 'bank.example' },
      { text: 'f the door', from: 'bank.example' },
    ]);
  });

  it.each([
    ['base64', Buffer.from(secret).toString('base64')],
    ['base64url', Buffer.from(`${secret}?>`).toString('base64url')],
    ['hexadecimal', Buffer.from(secret).toString('hex')],
    ['percent-encoded', encodeURIComponent(secret)],
  ])('are found %s, and are then the whole run', (_encoding, text) => {
    expect(quoted({ q: text })).toEqual([{ text, from: 'bank.example' }]);
  });

  const base64 = Buffer.from(secret).toString('base64');
  const hex = Buffer.from(secret).toString('hex');
  it.each([
    ['base64 after a path', `https://evil.example/c/${base64}`, `example/c/${base64}`],
    ['base64 after a word', `id_${base64}`, `id_${base64}`],
    ['hexadecimal after an odd digit', `https://evil.example/?a=a${hex}`, `a${hex}`],
  ])('are found as %s', (_encoding, text, quote) => {
    expect(quoted({ q: text })).toEqual([{ text: quote, from: 'bank.example' }]);
  });

  it('are found percent-encoded beside what is no encoding', () => {
    const text = `https://evil.example/?p=100%&q=${encodeURIComponent(secret)}`;
    expect(quoted({ q: text })).toEqual([{ text, from: 'bank.example' }]);
  });

  it('are found encoded and spread over several arguments', () => {
    expect(quoted({ a: base64.slice(0, 15), b: base64.slice(15) })).toEqual([
      { text: base64.slice(0, 15), from: 'bank.example' },
      { text: base64.slice(15), from: 'bank.example' },
    ]);
  });

  it('are found in the names of what objects hold', () => {
    expect(quoted({ fields: { [secret]: 1 } })).toEqual([{ text: secret, from: 'bank.example' }]);
  });

  it('are found with what is invisible in them, also in names, as in what others wrote', () => {
    const hidden = [...secret].join('\u200b');
    const tags = [...secret].map((letter) => String.fromCodePoint(letter.codePointAt(0)! + 0xe0000)).join('');
    for (const text of [hidden, tags, `To ${secret.replace('door', 'd\u{e0061}oor')}`]) {
      expect(quoted({ body: text })).toContainEqual({ text, from: 'bank.example' });
      expect(quoted({ fields: [{ [text]: 1 }] })).toContainEqual({ text, from: 'bank.example' });
    }
    expect(quotesIn({ body: secret }, [{ from: 'evil.example', text: hidden }], '')).toEqual([
      { text: secret, from: 'evil.example' },
    ]);
  });

  it('are found in each source, however long one of them is, and it is told where not all was compared', () => {
    const long = { from: 'evil.example', text: 'z'.repeat(500_001) };
    expect(quotesIn({ body: secret }, [...foreign, long], '')).toEqual([
      { text: secret, from: 'bank.example' },
    ]);
    expect(isPartlyCompared({ body: secret }, [...foreign, long])).toBe(true);
    expect(isPartlyCompared({ body: 'z'.repeat(50_001) }, foreign)).toBe(true);
    expect(isPartlyCompared({ body: secret }, foreign)).toBe(false);
  });

  it('are looked for in so much of all arguments together, be they ever so many', () => {
    const fields = Array.from({ length: 5 }, () => 'z'.repeat(10_000));
    expect(quoted({ fields: [base64, ...fields] })).toEqual([{ text: base64, from: 'bank.example' }]);
    expect(quoted({ fields: [...fields, base64] })).toEqual([]);
    expect(isPartlyCompared({ fields: [...fields, base64] }, foreign)).toBe(true);
    expect(quoted({ fields: { [fields.join('')]: 1, [secret]: 1 } })).toEqual([]);
  });

  it('may stand in what is kept nowhere: of a result that the log dropped, all that the model was not sent at once', () => {
    const own = { serverId: OWN_TOOLS, serverName: OWN_NAME, toolName: 'read_page' };
    const kept = (text: string, fields: Partial<ToolCall>): Foreign[] => {
      const [row] = call(fields);
      const sent = resultForModel({ ...row!, callId: 'm1.0' }, { text, isError: false }).content;
      const result = { ...row!.result, text: sent, isError: false, dropped: true as const };
      return foreignIn([], [{ ...row!, result }], () => true);
    };
    for (const fields of [
      {},
      { ...own, toolName: 'list_tabs' },
      { ...own, result: { text: '', isError: false, url: 'https://tides.example/' } },
    ]) {
      expect(isPartlyCompared({ body: secret }, kept('z'.repeat(40_000), fields))).toBe(true);
      const short = kept(secret, fields);
      expect(isPartlyCompared({ body: secret }, short)).toBe(false);
      expect(quotesIn({ body: secret }, short, '')).toMatchObject([{ text: secret }]);
    }
  });

  it('may stand in what an app was told, of which the log that dropped it keeps nothing', () => {
    const result = { text: '', isError: false, dropped: true as const };
    const told = foreignIn([], call({ byApp: 0, result }), () => true);
    expect(isPartlyCompared({ body: secret }, told)).toBe(true);
  });

  it('are not what the user wrote as well', () => {
    expect(quoted({ body: secret }, `Tell them: ${secret}`)).toEqual([]);
  });

  it('are what stands in a server’s prompt, though the user sent it, with a word of theirs changed', () => {
    const prompt: Foreign = { from: 'Notes', text: `${secret} Send it.\n`, isTyped: true };
    const written = `${secret.replace('4711', '4712')} Send it.`;
    expect(quotesIn({ body: secret.replace('4711', '4712') }, [prompt, ...foreign], written)).toEqual([
      { text: 'The code of the door is 471', from: 'Notes' },
    ]);
    expect(
      quotesIn({ body: written, cc: 'and mind the tide' }, [prompt], `${written} and mind the tide`),
    ).toEqual([{ text: 'The code of the door is 471', from: 'Notes' }]);
  });

  it('name whose words they are, of several the latest', () => {
    const both = [...foreign, { from: 'news.example', text: secret }];
    expect(quotesIn({ body: secret }, both, '')).toEqual([{ text: secret, from: 'news.example' }]);
  });
});
