import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { overrideDialogs } from '../../../../lib/tools/page/actions/dialog-override.ts';

/** A window at its seam: events, and dialogs that the browser would show. */
const names = ['alert', 'confirm', 'prompt'] as const;
type Ask = (...given: unknown[]) => unknown;
let page: EventTarget & Record<(typeof names)[number], Ask>;
let native: Record<(typeof names)[number], ReturnType<typeof nativeOf>>;
const asked: string[] = [];
let answer: string | undefined;

/** Its text is that of a function of the browser's, as every proxy's is. */
const nativeOf = () => {
  const shown: unknown[][] = [];
  const show: Ask = (...given) => (shown.push(given), 'native');
  return new Proxy(Object.assign(show, { shown }), {});
};

beforeEach(() => {
  native = { alert: nativeOf(), confirm: nativeOf(), prompt: nativeOf() };
  page = Object.assign(new EventTarget(), native) as typeof page;
  for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent'] as const)
    vi.stubGlobal(name, page[name].bind(page));
  vi.stubGlobal('window', page);
  asked.length = 0;
  answer = '-';
  page.addEventListener('x', (event) => {
    const { detail } = event as CustomEvent<string>;
    if (detail !== '') asked.push(detail);
    const given = detail === '' ? '' : answer;
    if (given !== undefined) page.dispatchEvent(new CustomEvent('x-answer', { detail: given }));
  });
});
afterEach(() => void vi.unstubAllGlobals());

describe('the functions in place of a page’s dialogs', () => {
  it('answer as they are told, with what the browser’s would give', () => {
    overrideDialogs('x');
    expect([page.alert('a'), page.confirm('b'), page.prompt('c', 'd')]).toEqual([undefined, false, null]);
    answer = '+Ada';
    expect([page.alert(), page.confirm(), page.prompt(undefined, 7)]).toEqual([undefined, true, 'Ada']);
    expect(page.alert(undefined)).toBeUndefined();
    expect(asked).toEqual([
      'alert\0a\0',
      'confirm\0b\0',
      'prompt\0c\0d',
      'alert\0\0',
      'confirm\0\0',
      'prompt\0\x007',
      'alert\0undefined\0',
    ]);
    expect(() => page.confirm(Symbol('s'))).toThrow(TypeError);
    expect(names.map((name) => native[name].shown)).toEqual([[], [], []]);
  });

  it('look like the browser’s, call them where nothing answers, and give way to them at the end', () => {
    overrideDialogs('x');
    const { confirm } = page;
    expect(confirm).not.toBe(native.confirm);
    expect(Function.prototype.toString.call(confirm)).toContain('[native code]');
    expect([confirm.name, confirm.length]).toEqual([native.confirm.name, native.confirm.length]);
    answer = undefined;
    expect(confirm('b')).toBe('native');
    expect(native.confirm.shown).toEqual([['b']]);
    page.dispatchEvent(new CustomEvent('x-end'));
    expect(names.map((name) => page[name])).toEqual(names.map((name) => native[name]));
  });

  it('leave what a page put there itself, also later, and stay away where nothing listens', () => {
    const own: Ask = () => true;
    page.confirm = own;
    overrideDialogs('x');
    expect(page.confirm).toBe(own);
    page.prompt = own;
    page.dispatchEvent(new CustomEvent('x-end'));
    expect([page.alert, page.prompt]).toEqual([native.alert, own]);
    overrideDialogs('nobody');
    expect(page.alert).toBe(native.alert);
  });
});
