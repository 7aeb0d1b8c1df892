import { expect, it } from 'vitest';
import { differenceOf, type Turn } from './screen.ts';

const answer = (texts: string[], calls: string[] = []): Turn => ({
  id: 'a1',
  name: 'Assistant',
  texts,
  calls,
});
const text = 'This answers question 7-1.';

it('a screen equals the database only when each message has its own text there, once', () => {
  expect(differenceOf([answer([text])], [answer([text])])).toBeUndefined();
  const others: Turn[][] = [
    [answer([`This answers ${text}`])],
    [answer([text, text])],
    [answer([`${text}${text}`])],
    [answer([])],
    [answer([text], ['look_up success'])],
    [{ ...answer([text]), id: 'a2' }],
    [answer([text]), answer([text])],
    [],
  ];
  for (const shown of others) expect(differenceOf(shown, [answer([text])])).toMatch(/^turn \d of \d: shown /);
});

it('a message without text shows none', () => {
  expect(differenceOf([answer([text])], [answer([])])).toBeDefined();
  expect(differenceOf([answer([])], [answer([])])).toBeUndefined();
});
