import { expect, it } from 'vitest';
import { findIn } from '../../../../lib/tools/page/reading/find.ts';

const page = '# Log\n\nA sloop came.\n\n## Birds\n\nGulls (two)\nand a SLOOP of war.';

it('words are found whatever their case and white space, with the heading that they stand under', () => {
  const [count, first, second] = findIn(page, ' sloop').split('\n');
  expect(count).toMatch(/^2 matches for " sloop" in \d+ characters of text\.$/);
  expect(first).toMatch(/^1\. \(under # Log\) …# Log A sloop came\./);
  expect(second).toMatch(/^2\. \(under ## Birds\) /);
  expect(findIn(page, '(two)  and')).toMatch(/^1 match /);
});

it('what is not there has no match, and of very many the first are told', () => {
  expect(findIn(page, 'zeppelin.*')).toMatch(/^0 matches for "zeppelin\.\*" in \d+ characters of text\.$/);
  expect(findIn(page, '  ')).toBe('There is nothing to look for.');
  const lines = findIn('a '.repeat(5_000), 'a').split('\n');
  expect(lines[0]).toContain('5000 matches');
  expect(lines[0]).toContain('the first 20');
  expect(lines).toHaveLength(21);
});
