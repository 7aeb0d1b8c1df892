import { expect, it } from 'vitest';
import { announcements } from '../lib/broadcasts.ts';
import type { Announcement } from '../lib/protocol/panel.ts';

it('an announcement reaches every page that listens, whatever worker makes it', async () => {
  const heard: [string, Announcement][] = [];
  announcements.listen((announcement) => heard.push(['a', announcement]));
  announcements.listen((announcement) => heard.push(['b', announcement]));
  const first = { topic: 'c1', revision: { epoch: 'e1', number: 3 } };
  const second = { topic: 'setup', revision: { epoch: 'e2', number: 0 } };
  announcements.open().tell(first);
  announcements.open().tell(second);
  await expect.poll(() => heard.length).toBe(4);
  const of = (page: string) =>
    heard.filter(([name]) => name === page).map(([, announcement]) => announcement);
  for (const page of ['a', 'b']) expect(of(page)).toEqual(expect.arrayContaining([first, second]));
});
