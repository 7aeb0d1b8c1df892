import { parseHTML } from 'linkedom';
import { render } from 'preact';
import { expect, it, vi } from 'vitest';
import { ArgumentLines } from '../../components/chat/calls/approval-arguments.tsx';

/** What an approval shows of these arguments. */
function shown(args: object, props: Partial<Parameters<typeof ArgumentLines>[0]> = {}): HTMLElement {
  const { document } = parseHTML('<main></main>');
  vi.stubGlobal('document', document);
  const root = document.querySelector('main') as unknown as HTMLElement;
  render(<ArgumentLines text={JSON.stringify(args)} {...props} />, root);
  return root;
}
const textsOf = (root: HTMLElement, selector: string) =>
  [...root.querySelectorAll(selector)].map(({ textContent }) => textContent);

it('an approval shows every argument, with what of it others wrote and the host that it leads to', () => {
  const harmless = Object.fromEntries(
    ['to', 'cc', 'subject', 'text', 'font', 'tone'].map((name) => [name, 'a']),
  );
  const bcc = 'https://user@thief.example/';
  const root = shown({ ...harmless, bcc }, { quotes: [{ text: bcc, from: 'tides.example' }] });
  expect(textsOf(root, 'dt')).toEqual([...Object.keys(harmless), 'bcc']);
  expect(textsOf(root, '.ask-quote')).toEqual([bcc]);
  expect(textsOf(root, '.ask-host')).toEqual(['thief.example']);
  expect(textsOf(root, '.visit-warning')).toHaveLength(1);
});

it.each([false, true])('an approval shows every host in an argument, on one line: %s', (isOneLine) => {
  const hosts = Array.from({ length: 9 }, (_, at) => `h${at}.example`);
  const root = shown({ text: hosts.map((host) => `https://${host}/`).join(' ') }, { isOneLine });
  expect(textsOf(root, '.ask-host')).toEqual(hosts);
});

it('an approval of several calls has one argument on a line with its name, and more on lines of their own', () => {
  expect(shown({ text: 'a' }, { isOneLine: true }).textContent).toBe('text: "a"');
  const root = shown({ text: 'a'.repeat(300), bcc: 'b' }, { isOneLine: true });
  expect(textsOf(root, 'dt')).toEqual(['text', 'bcc']);
  expect(textsOf(root, 'dd').at(-1)).toBe('"b"');
});
