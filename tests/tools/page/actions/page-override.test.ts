import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { overridePage } from '../../../../lib/tools/page/actions/page-override.ts';

/** A window at its seam: events, and dialogs that the browser would show. */
const names = ['alert', 'confirm', 'prompt'] as const;
type Ask = (...given: unknown[]) => unknown;
let page: EventTarget & Record<(typeof names)[number] | 'print', Ask>;
let native: Record<(typeof names)[number], ReturnType<typeof nativeOf>>;
const asked: string[] = [];
let answer: string | undefined;
let overridden: string;

/** Its text is that of a function of the browser's, as every proxy's is. */
const nativeOf = () => {
  const shown: unknown[][] = [];
  const show: Ask = (...given) => (shown.push(given), 'native');
  return new Proxy(Object.assign(show, { shown }), {});
};

beforeEach(() => {
  native = { alert: nativeOf(), confirm: nativeOf(), prompt: nativeOf() };
  page = Object.assign(new EventTarget(), native, { print: nativeOf() }) as typeof page;
  for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent'] as const)
    vi.stubGlobal(name, page[name].bind(page));
  vi.stubGlobal('window', page);
  asked.length = 0;
  answer = '-';
  overridden = 'dialogs';
  page.addEventListener('x', (event) => {
    const { detail } = event as CustomEvent<string>;
    if (detail !== '') asked.push(detail);
    const given = detail === '' ? overridden : answer;
    if (given !== undefined) page.dispatchEvent(new CustomEvent('x-answer', { detail: given }));
  });
});
afterEach(() => void vi.unstubAllGlobals());

describe('the functions in place of a page’s dialogs', () => {
  it('answer as they are told, with what the browser’s would give', () => {
    overridePage('x');
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

  it('tell of a page that is printed, before the browser asks', () => {
    overridePage('x');
    expect(page.print()).toBe('native');
    expect(asked).toEqual(['print']);
  });

  it('look like the browser’s, call them where nothing answers, and give way to them at the end', () => {
    overridePage('x');
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
    overridePage('x');
    expect(page.confirm).toBe(own);
    page.prompt = own;
    page.dispatchEvent(new CustomEvent('x-end'));
    expect([page.alert, page.prompt]).toEqual([native.alert, own]);
    overridePage('nobody');
    expect(page.alert).toBe(native.alert);
  });
});

describe('the functions in place of those that need a page in sight', () => {
  const drawn: string[] = [];
  const frame = () => page.dispatchEvent(new CustomEvent('x-frame'));
  const browser: Record<'requestAnimationFrame' | 'cancelAnimationFrame', (given: unknown) => unknown> = {
    requestAnimationFrame: new Proxy(() => 7, {}),
    cancelAnimationFrame: new Proxy(() => undefined, {}),
  };
  beforeEach(() => {
    drawn.length = 0;
    Object.assign(page, browser);
    vi.stubGlobal('document', { getAnimations: () => [] });
    overridden = 'frames';
    overridePage('x');
  });
  it('do what waits for being drawn as a frame is said to come, once, and not what was cancelled', () => {
    const { requestAnimationFrame: request, cancelAnimationFrame: cancel } =
      page as unknown as typeof browser;
    expect(request(() => drawn.push('one'))).toBe(7);
    expect(asked).toEqual(['frame']);
    frame();
    frame();
    expect(drawn).toEqual(['one']);
    cancel(request(() => drawn.push('two')));
    frame();
    expect(drawn).toEqual(['one']);
  });

  it('give way to the browser’s at the end', () => {
    page.dispatchEvent(new CustomEvent('x-end'));
    expect(page).toMatchObject(browser);
  });
});
