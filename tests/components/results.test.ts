import { Cpu } from 'lucide';
import { GivenIcon } from '../../components/ui/given-icon.tsx';
import { h } from 'preact';
import { describe, expect, it } from 'vitest';
import { Result } from '../../components/chat/calls/result.tsx';
import { Fault } from '../../components/ui/fault.tsx';
import type { ContentBlock, ToolResult } from '../../lib/types/tools/tool-result.ts';
import { drawn } from '../fakes/drawn.ts';
import { png } from '../fakes/png.ts';

const shown = (more: Partial<ToolResult>): string =>
  drawn(h(Result, { result: { text: '', isError: false, ...more } }));
const block = (one: ContentBlock): string => shown({ blocks: [one] });

describe('a result', () => {
  it('plays sounds, and only sounds', () => {
    expect(block({ type: 'audio', data: 'UklG', mimeType: 'audio/wav' })).toContain(
      'src="data:audio/wav;base64,UklG"',
    );
    expect(block({ type: 'audio', data: 'PGI+', mimeType: 'text/html' })).not.toContain('<audio');
  });

  it('draws pictures, but none that could load something from elsewhere', () => {
    expect(block({ type: 'image', data: png(1, 1), mimeType: 'image/png' })).toContain('<img');
    expect(block({ type: 'image', data: 'AA==', mimeType: 'image/svg+xml' })).not.toContain('<img');
  });

  it('shows the beginning of a text of very many characters, in however few lines', () => {
    const text = shown({ text: `${'a'.repeat(20_000)}${'b'.repeat(5_000)}` });
    expect(text).toContain('Show all 25,000 characters');
    expect(text).not.toContain('b'.repeat(100));
    expect(shown({ text: 'a\n'.repeat(300) })).toContain('Show all 301 lines');
  });

  it('offers a file to be saved, never to be opened as a page', () => {
    const file = block({
      type: 'resource',
      resource: { uri: 'demo://a/page.html?x', mimeType: 'text/html', blob: 'PGI+' },
    });
    expect(file).toContain('download="page.html"');
    expect(file).toContain('data:application/octet-stream;base64,PGI+');
    expect(file).toContain('text/html, 3 B');
    expect(file).not.toContain('PGI+</');
    expect(block({ type: 'resource', resource: { uri: 'demo://a.txt', text: 'half \ud800' } })).toContain(
      'data:text/plain;charset=utf-8,half%20%EF%BF%BD',
    );
  });

  it('lays out in pieces what a link says at length', () => {
    const said = 'aא'.repeat(2_000);
    const link = block({ type: 'resource_link', uri: `x:${said}`, name: said, description: said });
    expect(link.match(/class="piece"/g)?.length).toBeGreaterThan(5);
  });

  it('names what it only links to, and fetches nothing by itself', () => {
    const link: ContentBlock = {
      type: 'resource_link',
      uri: 'https://example.com/2026.csv',
      name: '2026.csv',
      description: 'The year',
      size: 48_210,
    };
    let reads = 0;
    const read = async () => {
      reads += 1;
      return [];
    };
    const drawnLink = drawn(h(Result, { result: { text: '', isError: false, blocks: [link] }, read }));
    expect(drawnLink).toContain('aria-label="Fetch 2026.csv"');
    for (const word of ['The year', 'example.com: https://example.com/2026.csv', '48 kB']) {
      expect(drawnLink).toContain(word);
    }
    expect(reads).toBe(0);
    expect(block(link)).not.toContain('Fetch');
  });

  it('shows data and text behind tabs where both exist, and data alone without', () => {
    const both = shown({ text: '21 degrees', structured: { degrees: 21 } });
    expect(both).toContain('role="tablist"');
    expect(both).toContain('role="tree"');
    expect(both).toMatch(/degrees.*21/);
    expect(both).not.toContain('21 degrees');
    const data = shown({ structured: [1] });
    expect(data).not.toContain('tablist');
    expect(data).toContain('1');
  });

  it('shows text that is JSON as a tree too, and a list of flat objects as a table first', () => {
    expect(shown({ text: '{"degrees":21}' })).toMatch(/tablist.*Structured.*Text.*role="tree"/);
    const table = shown({ text: '[{"sdk":"Python","issue":3556},{"sdk":"Rust","issue":733}]' });
    expect(table).toMatch(/Table.*Structured.*Text.*<th scope="col" dir="auto">sdk/);
    expect(table).toMatch(/<td dir="auto">Python<.*3556.*Rust/);
  });

  it('never takes what stands in data for markup, and shows its hidden characters', () => {
    const tree = shown({ structured: { '<b>k\u202e': '<img src=x>', list: [{ deep: '\u200b' }] } });
    expect(tree).toContain('<b>k\\u202e');
    expect(tree).toContain('"<img src=x>"');
    expect(tree).toContain('\\u200b');
    expect(tree).not.toContain('\u200b');
  });

  it('cuts a long string of its data, and draws only what stands open of very much', () => {
    const tree = shown({ structured: { text: 'a'.repeat(5000), list: [...Array(5000).keys()] } });
    expect(tree).toContain('Show all 5,000 characters');
    expect(tree).not.toContain('a'.repeat(301));
    expect(tree.match(/role="treeitem"/g)).toHaveLength(2);
    expect(tree).toContain('5,000 items');
  });

  it('shows what is of no known kind as it came', () => {
    expect(block({ type: 'unknown', value: { type: 'hologram' } })).toContain('"type": "hologram"');
  });

  it('says what the tool log does not keep any more', () => {
    expect(shown({ text: '2 issues', dropped: true })).toContain('no longer keeps the whole result');
  });

  it('begins with the first lines of very many', () => {
    const long = shown({ text: Array.from({ length: 1000 }, (_, line) => `line ${line}.`).join('\n') });
    expect(long).toContain('line 39.');
    expect(long).not.toContain('line 40.');
    expect(long).toContain('Show all 1,000 lines');
  });
});

describe('an icon that a server gives', () => {
  const icon = (src: string): string => drawn(h(GivenIcon, { icons: [{ src }], otherwise: Cpu }));

  it('is shown when it came with the words, and never loaded from elsewhere', () => {
    expect(icon(`data:image/png;base64,${png(16, 16)}`)).toContain('<img');
    expect(icon(`data:image/png;base64,${png(16_000, 16_000)}`)).toMatch(/^<root><svg/);
    for (const src of ['https://example.com/i.png', 'data:image/svg+xml,<svg/>', 'javascript:1']) {
      expect(icon(src)).toMatch(/^<root><svg/);
    }
  });
});

describe('an error', () => {
  it('shows hidden characters of what a server said instead of obeying them', () => {
    const error = { code: 'x', message: 'A\u202eB', fix: 'C\u202eD', cause: 'E\u202eF', retryable: false };
    const text = drawn(h(Fault, { error }));
    expect(text).not.toContain('\u202e');
    expect(text).toMatch(/A\\u202eB C\\u202eD.*E\\u202eF/);
  });
});
