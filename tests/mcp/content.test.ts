import { describe, expect, it } from 'vitest';
import {
  inWords,
  type PromptMessage,
  toBlocks,
  toPromptMessages,
  toResourceBlocks,
} from '../../lib/mcp/content/blocks.ts';
import { attachmentOf, promptText } from '../../lib/mcp/content/prompt-text.ts';
import { anyObject } from '../../lib/mcp/content/raw.ts';
import { connectPeer } from './raw-peer.ts';

const image = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' };
const text = (words: string) => ({ type: 'text' as const, text: words });

describe('a block of content', () => {
  it('of a link keeps all that is said of the resource', () => {
    const link = {
      type: 'resource_link',
      uri: 'file:///b.txt',
      name: 'b',
      title: 'B',
      description: 'The second.',
      mimeType: 'text/plain',
      size: 2048,
    };
    const [block] = toBlocks([{ ...link, annotations: {} }]);
    expect(block).toEqual(link);
    expect(block && inWords(block)).toBe('[Resource “B”: file:///b.txt (text/plain, 2 kB) – The second.]');
  });

  it('of a link has no size that a file could not say again', () => {
    const link = { type: 'resource_link', uri: 'file:///b.txt', name: 'b' };
    expect(toBlocks([{ ...link, size: JSON.parse('1e999') }])).toEqual([link]);
  });

  it.each(['tools/call', 'prompts/get', 'resources/read'] as const)(
    'of a new kind does not cost the result of %s on the 2026-07-28 revision',
    async (method) => {
      const blocks = [{ type: 'hologram' }, text('hi')];
      const result = {
        resultType: 'complete',
        content: blocks,
        contents: blocks,
        messages: blocks.map((content) => ({ role: 'user', content })),
      };
      const { client } = await connectPeer({ era: 'modern', answers: { [method]: () => result } });
      expect(await client.request({ method, params: { name: 'x', uri: 'x:y' } }, anyObject)).toMatchObject({
        content: blocks,
      });
    },
  );
});

describe('what a resource holds', () => {
  it('becomes pictures, sounds, texts and files', () => {
    const contents = [
      { uri: 'a:1', mimeType: 'text/plain', text: 'hello' },
      { uri: 'a:2', mimeType: 'image/png', blob: 'AAAA' },
      { uri: 'a:3', mimeType: 'audio/wav', blob: 'AAAA' },
      { uri: 'a:4', mimeType: 'application/zip', blob: 'AAAA' },
      { text: 'nowhere' },
    ];
    expect(toResourceBlocks({ contents })).toEqual([
      { type: 'resource', resource: contents[0] },
      image,
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      { type: 'resource', resource: contents[3] },
      { type: 'unknown', value: contents[4] },
    ]);
    expect(toResourceBlocks({ contents: 'nonsense' })).toEqual([]);
  });

  it('is attached as text, with its type', () => {
    const blocks = toResourceBlocks({ contents: [{ uri: 'a:1', mimeType: 'text/markdown', text: '# Hi' }] });
    expect(attachmentOf(blocks)).toEqual({ text: '# Hi', mimeType: 'text/markdown' });
  });

  it('is attached as pictures, never as text, where it is one', () => {
    expect(attachmentOf([image])).toEqual({
      text: '',
      pictures: [{ data: 'AAAA', mimeType: 'image/png' }],
      mimeType: 'image/png',
    });
  });

  it('is attached as a line that says what it is, where a model can’t read it', () => {
    const blocks = toResourceBlocks({
      contents: [
        { uri: 'a:4', mimeType: 'application/zip', blob: 'AAAA' },
        { uri: 'a:1', mimeType: 'text/plain', text: 'hello' },
      ],
    });
    expect(attachmentOf(blocks)).toEqual({ text: '[Resource a:4 (application/zip, 3 bytes)]\n\nhello' });
  });
});

describe('the messages of a prompt', () => {
  it('are read one by one, whichever role a server names', () => {
    const messages = [
      { role: 'assistant', content: text('Hello') },
      { role: 'system', content: [text('a'), image] },
      null,
      { role: 'user' },
    ];
    expect(toPromptMessages({ messages })).toEqual([
      { role: 'assistant', block: text('Hello') },
      { role: 'user', block: text('a') },
      { role: 'user', block: image },
      { role: 'user', block: { type: 'unknown', value: undefined } },
    ]);
    expect(toPromptMessages({})).toEqual([]);
  });

  it('of one role are one text, divided by blank lines, and the rest in order', () => {
    const messages: PromptMessage[] = [
      { role: 'user', block: text('Look at this:') },
      { role: 'user', block: image },
      { role: 'user', block: text('What is it?') },
    ];
    expect(promptText(messages)).toEqual({ text: 'Look at this:\n\nWhat is it?', rest: [image] });
  });

  it('of more than the composer lays out at once are attached', () => {
    const long = text('aא'.repeat(25_001));
    const messages: PromptMessage[] = [image, long].map((block) => ({ role: 'user', block }));
    expect(promptText(messages)).toEqual({ text: '', rest: [long, image] });
  });

  it('of both roles say who speaks', () => {
    const messages: PromptMessage[] = [
      { role: 'user', block: text('2 + 2?') },
      { role: 'assistant', block: text('4') },
      { role: 'assistant', block: text('  ') },
    ];
    expect(promptText(messages).text).toBe('User: 2 + 2?\n\nAssistant: 4');
  });

  it('loses what is invisible, and control tokens, before it stands in the composer as the user’s', () => {
    const messages = [{ role: 'user' as const, block: text('Sum\u{e0041}\u{e0042} <|im_end|>') }];
    expect(promptText(messages).text).toBe('Sum &lt;|im_end|>\n[2 invisible characters removed]');
  });
});
