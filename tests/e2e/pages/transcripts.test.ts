import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openScene, type Scene } from '../support/scene.ts';

/** Sites that the browser is answered for: addresses with their files, and how those were asked for. */
const [YOUTUBE, TALKS, MEDIA] = ['https://www.youtube.com', 'https://talks.example', 'https://media.example'];
const files = new Map<string, string>();
const asked: { url: string; cookie: string | undefined }[] = [];

let scene: Scene;
let page: Page;
let html = '';
let title = '';
let visits = 0;

beforeAll(async () => {
  scene = await openScene();
  page = await scene.portside.context.newPage();
  for (const site of [YOUTUBE, TALKS, MEDIA])
    await page.route(`${site}/**`, async (route) => {
      const request = route.request();
      if (request.resourceType() === 'document')
        return route.fulfill({
          contentType: 'text/html; charset=utf-8',
          headers: { 'set-cookie': 'session=1' },
          body: `<!doctype html><title>${title}</title><h1>Tides</h1>${html}`,
        });
      const { cookie } = await request.allHeaders();
      asked.push({ url: request.url(), cookie });
      return route.fulfill({ contentType: 'text/vtt', body: files.get(request.url()) ?? '' });
    });
});
afterAll(() => scene?.close());

const panel = () => scene.portside.panel;
const context = () => panel().getByRole('list', { name: 'Context' });
const offer = () => panel().getByRole('button', { name: 'Transcript', exact: true });

/** Shows a page in front of a new chat, which offers it. */
async function visit(url: string, body: string): Promise<void> {
  html = body;
  title = `Tides ${++visits}`; // so that the offer is known from that of the page before
  asked.length = 0;
  await page.goto('about:blank'); // else only what follows `#` may change
  await page.goto(url);
  await page.bringToFront();
  await panel().getByRole('button', { name: 'New chat' }).click();
  await panel().getByRole('button', { name: title }).waitFor();
}

/** Opens what is attached under a name, and takes it out again. @returns what the model would get */
async function read(name: string): Promise<string> {
  const chip = context().getByRole('button', { name: new RegExp(`^${name}`) });
  await chip.click();
  const preview = panel().getByRole('dialog');
  const text = await preview.getByText('<external').textContent();
  await preview.getByRole('button', { name: 'Close preview' }).click();
  await context()
    .getByRole('button', { name: `Remove ${name}` })
    .click();
  return text ?? '';
}

async function attach(): Promise<string> {
  await offer().click();
  return read(`Transcript: ${title}`);
}

describe('the transcript', () => {
  it('of YouTube is a list of captions for the video that is shown, else the panel once it is open', async () => {
    const list = `${YOUTUBE}/api/timedtext?v=tides&lang=en`;
    const player = {
      captions: { playerCaptionsTracklistRenderer: { captionTracks: [{ baseUrl: list, vssId: '.en' }] } },
      videoDetails: { videoId: 'tides', title: 'Tides' },
    };
    const source = JSON.stringify(player).replaceAll('&', String.raw`\u0026`);
    const watch = `<script>var ytInitialPlayerResponse = ${source};</script>`;
    files.set(
      `${list}&fmt=vtt`,
      'WEBVTT\n\n00:01.000 --> 00:04.000\nWelcome to the <c>tides</c>.\n\n01:00:31.000 --> 01:00:34.000\nGoodbye.',
    );
    await visit(`${YOUTUBE}/watch?v=tides`, watch);
    expect(await attach()).toMatch(
      /<external .*What is said in the video or podcast.*youtube\.com.*\n\[0:01\] Welcome to the tides\.\n\[1:00:31\] Goodbye\.\n/s,
    );
    expect(asked).toEqual([{ url: `${list}&fmt=vtt`, cookie: undefined }]);

    // Its player went on to another video, of which the list is not.
    await page.evaluate("history.pushState(null, '', '/watch?v=ebb')");
    await panel().getByRole('button', { name: 'New chat' }).click();
    await offer().click();
    await context().getByRole('status').getByText('The page has no transcript that can be read.').waitFor();
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend', \`
      <ytd-transcript-segment-renderer><div class="segment-timestamp"> 0:05 </div>
      <yt-formatted-string class="segment-text">Now it ebbs.</yt-formatted-string></ytd-transcript-segment-renderer>\`)`);
    await panel().getByRole('button', { name: 'New chat' }).click();
    expect(await attach()).toMatch(/\n\[0:05\] Now it ebbs\.\n/);
    expect(asked).toHaveLength(1);
  });

  it('of a player is the file of its captions, until it has loaded them; and then it is part of the page', async () => {
    files.set(`${TALKS}/en.vtt`, 'WEBVTT\n\n00:02.000 --> 00:04.000\nThe moon pulls.');
    await visit(
      `${TALKS}/watch`,
      `<p>A talk on tides.</p><video><track kind="metadata" src="/thumbnails.vtt"><track src="/en.vtt" srclang="en"></video>`,
    );
    expect(await attach()).toMatch(/\n\[0:02\] The moon pulls\.\n/);
    expect(asked).toEqual([{ url: `${TALKS}/en.vtt`, cookie: undefined }]);

    await page.evaluate(`new Promise((resolve) => {
      const [, track] = document.querySelectorAll('track');
      track.onload = resolve;
      track.track.mode = 'hidden';
    })`);
    asked.length = 0;
    expect(await attach()).toMatch(/\n\[0:02\] The moon pulls\.\n/);
    await panel().getByRole('button', { name: title }).click();
    expect(await read(title)).toMatch(/A talk on tides\..*## Transcript\n\n\[0:02\] The moon pulls\./s);
    expect(asked).toEqual([]);
  });

  it.each([
    '<podcast:transcript url="/1.srt" type="application/x-subrip"></podcast:transcript>',
    '<link rel="alternate" type="application/x-subrip" href="/1.srt">',
    '<a href="/1.srt">Transcript</a>',
  ])('of a podcast is the file that its page names: %s', async (named) => {
    files.set(`${TALKS}/1.srt`, '1\n00:00:03,500 --> 00:00:06,000\nToday: the harbour.\n\n');
    await visit(`${TALKS}/episode`, `${named}<audio controls></audio>`);
    expect(await attach()).toMatch(/\n\[0:03\] Today: the harbour\.\n/);
    expect(asked).toEqual([{ url: `${TALKS}/1.srt`, cookie: undefined }]);
  });

  it.each([
    ['of another site', `<podcast:transcript url="${MEDIA}/1.srt"></podcast:transcript>`],
    ['that is not what is said', '<video><track kind="metadata" src="/thumbnails.vtt"></video>'],
  ])('is not offered of a file %s', async (_which, named) => {
    await visit(`${TALKS}/other`, named);
    expect(await offer().count()).toBe(0);
  });
});
