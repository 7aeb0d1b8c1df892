import { expect, it } from 'vitest';
import { framesLeftOut, readFrames, seenFrames } from '../../../../lib/tools/page/reading/frame-readings.ts';

it('frames in a hidden one are left out, the others stay', () => {
  const frames = [
    { at: '', unseen: ['1/'] },
    { at: '0/', unseen: ['0/2/'] },
    { at: '0/2/' },
    { at: '1/' },
    { at: '1/0/' },
    { at: '11/' },
    {},
  ];
  expect(seenFrames(frames)).toEqual([frames[0], frames[1], frames[5], {}]);
});

it('frames without an origin of their own go with the tab’s document, which may be another site’s by then', () => {
  const [top, inner] = [{ at: '', origin: 'https://bank.example' }, { at: '0/' }];
  expect(seenFrames([top, inner])).toEqual([top, { ...inner, origin: 'https://bank.example' }]);
  const none = { url: '', base: '', title: '', html: 'secret', contentType: '', hidden: 0, isCut: false };
  const mail = { ...none, ...inner, frames: [], drawn: [] };
  const read = (origin: string) => readFrames([{ ...mail, at: '', origin }, mail], ['https://evil.example']);
  expect(JSON.stringify(read('https://bank.example'))).not.toContain('secret');
  expect(read('https://evil.example')[1]?.html).toBe('secret');
});

it('of frames of sites that a call may not read nothing is kept but whose they are, and what they hide', () => {
  const common = { contentType: 'text/html', hidden: 7, isCut: true, drawn: [{ rows: 1, of: 2 }] };
  const [url, base, title] = ['https://mail.example/u/me', 'https://mail.example/', 'Inbox (3)'];
  const mail = { ...common, url, base, title, html: 'secret', frames: ['https://mail.example/secret'] };
  const inTab = { ...mail, at: '', unseen: [] };
  const own = { ...mail, at: '0/', unseen: [], origin: 'https://a.example' };
  const other = { ...mail, at: '1/', unseen: ['1/0/'], origin: 'https://mail.example' };
  const [first, second, third] = readFrames([inTab, own, other], ['https://a.example']);
  expect([first, second]).toEqual([inTab, own]);
  expect(third).toMatchObject({ at: '1/', unseen: ['1/0/'], isLeftOut: true, url: 'https://mail.example' });
  expect(JSON.stringify(third)).not.toMatch(/secret|u\/me|Inbox/);
  expect(readFrames([other], [])).toEqual([third]);
  expect(readFrames([other], ['https://mail.example'])).toEqual([other]);
  expect(readFrames([other], undefined)).toEqual([other]);
});

it('frames that are left out are named once, and some of very many', () => {
  expect(framesLeftOut(['https://b.example/x', 'null', 'https://b.example/x', 'https://c.example'])).toBe(
    '[Left out: frames of sites that this chat has not read: https://b.example/x, https://c.example. One that is needed can be opened in a tab with open_tab, and read there.]',
  );
  expect(framesLeftOut(['null'])).toMatch(/has not read\. /);
  expect(framesLeftOut(Array.from({ length: 30 }, (_each, at) => `https://a${at}.example`))).toContain(
    'https://a9.example and 20 more.',
  );
});
