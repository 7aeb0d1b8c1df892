import { parseHTML } from 'linkedom';
import type { Tokens } from 'marked';
import { afterEach, expect, it, vi } from 'vitest';
import { codeView } from '../../components/markdown/code.tsx';

vi.mock('../../components/markdown/ink.ts', () => ({ addTo, watchWidth: () => {} }));

const coloured: string[] = [];
vi.mock('../../components/markdown/colours.ts', () => ({
  colour: (text: string) => coloured.push(text),
}));

function addTo(into: Element, name: string): Element {
  const element = document.createElement(name);
  into.append(element);
  return element;
}

afterEach(() => vi.unstubAllGlobals());

it('is highlighted in slices that no grammar takes long for, and lines that are data not at all', async () => {
  const { document, window } = parseHTML('<main></main>');
  vi.stubGlobal('document', document);
  vi.stubGlobal('window', window);
  const draw = (text: string): void => {
    const place = document.querySelector('main') as unknown as Element;
    codeView(place, { type: 'code', raw: '', lang: 'csharp', text }).draw({ text } as Tokens.Code, false);
  };
  draw(`${'a'.repeat(1_001)}\n`.repeat(16));
  draw(`${'a'.repeat(1_000)}\n`.repeat(100));
  const lines = (): string[] => coloured.flatMap((slice) => slice.split('\n'));
  await expect.poll(lines).toEqual(Array.from({ length: 100 }, () => 'a'.repeat(1_000)));
  expect(Math.max(...coloured.map(({ length }) => length))).toBeLessThan(6_000);
});
