import { describe, expect, it } from 'vitest';
import { connectSteps } from '../../components/options/native-host/install-command.tsx';
import { inOneLine } from '../../components/options/native-host/launch-notice.tsx';

describe('what the browser says of a native host that does not answer', () => {
  it.each([
    ['Specified native messaging host not found.', [false], 'can’t find the native host’s manifest'],
    ['No such native application app.portside.native_host', [false], 'can’t find a native host manifest'],
    ['Access to the specified native messaging host is forbidden.', [true, false], 'does not allow'],
    ['Failed to start native messaging host.', [true, true, false], 'could not start'],
    ['Native host has exited.', [true, true, false], 'exited right away'],
    ['It was started, but sent nothing.', [true, true, false], 'sent nothing'],
    ['Error when communicating with the native messaging host.', [true, true, false], 'exited right away'],
  ])('“%s” tells how far it came', (cause, oks, text) => {
    const steps = connectSteps(cause);
    expect(steps.map(({ ok }) => ok)).toEqual(oks);
    expect(steps.at(-1)?.text).toContain(text);
    expect(steps.at(-1)?.fix).toBeDefined();
  });

  it('is not made up when the browser says something else, or nothing', () => {
    expect(connectSteps('Node is not at /usr/bin/node any more.')).toEqual([]);
    expect(connectSteps(undefined)).toEqual([]);
  });
});

describe('what a program is handed, before a user allows it', () => {
  it.each([
    ['print(1)\nimport os', 'print(1)⏎import os'],
    ['a\r\n\nb\n', 'a⏎⏎b⏎'],
    ['a\rb\u202e', 'a\\u000db\\u202e'],
    ['a⏎b', 'a\\u23ceb'],
    ['a\\nb  c', 'a\\nb  c'],
  ])('shows each line end: %j', (text, shown) => {
    expect(inOneLine(text)).toBe(shown);
  });
});
