import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import { pdf } from '../../files/made.ts';
import { call, stream, text } from '../../fakes/model-server.ts';
import { startSite, type Site } from './page-site.ts';
import { decide, openScene, type Scene, until } from '../support/scene.ts';

let scene: Scene;
let site: Site;
let page: Page;
let asked = 0;

beforeAll(async () => {
  [scene, site] = await Promise.all([openScene(), startSite()]);
  page = await scene.portside.context.newPage();
  await page.goto(`${site.url}/act-files`);
  await page.bringToFront();
});
afterAll(async () => {
  await scene.close();
  await site.close();
});

const report = {
  name: 'Report (1).pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.from(pdf([['Fair weather']])),
};
const notes = { name: 'notes – ü.txt', mimeType: 'text/plain', buffer: Buffer.from('Buy milk\r\nü') };
const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const told = ({ name, mimeType, buffer }: typeof report): string => `${name} ${mimeType} ${hash(buffer)}`;

const panel = () => scene.portside.panel;
const approval = () => panel().getByRole('alertdialog');
const done = (): Promise<string[]> => page.evaluate('window.done');
const answered = () => scene.articles('Assistant').getByText(`Answer ${asked}.`);

async function attach(...files: (typeof report)[]): Promise<void> {
  await panel().getByRole('button', { name: 'Attach' }).click();
  const choosing = panel().waitForEvent('filechooser');
  await panel().getByRole('listbox', { name: 'Context' }).getByRole('option', { name: 'Files…' }).click();
  await (await choosing).setFiles(files);
  const chips = panel().locator('form').getByRole('list', { name: 'Context' }).getByRole('listitem');
  for (const { name } of files)
    await until(
      `${name} is attached`,
      async () => (await chips.filter({ hasText: name }).getByRole('button', { name: 'tokens' }).count()) > 0,
    );
}

/** Has the model call tools, one after another. */
async function begin(...calls: [name: string, args?: object][]): Promise<void> {
  asked += 1;
  const made = calls.map(([name, args = {}], at) =>
    stream(call({ id: `c${asked}.${at}`, name, arguments: JSON.stringify(args) })),
  );
  scene.model.script(...made, stream(text(`Answer ${asked}.`)));
  await scene.ask(`Go on: ${site.url}`);
}

/** @returns the calls, each allowed for the chat where it asks, as they are written down */
async function outcomesOf(...calls: [name: string, args?: object][]): Promise<ToolCall[]> {
  await begin(...calls);
  for (;;) {
    await approval().or(answered()).first().waitFor();
    if ((await approval().count()) === 0) break;
    await decide(approval(), 'Allow for this chat');
  }
  await scene.idle();
  return (await scene.stored()).toolCalls.slice(-calls.length);
}
const outcome = ({ status, result }: ToolCall): [string, string] => [status, result?.text ?? ''];

let seen = '';
function ref(name: string): string {
  const found = new RegExp(`- \\w+ "${name}"[^\\n]*? \\[ref=(\\w+)\\]`).exec(seen)?.[1];
  if (found === undefined) throw new Error(`Nothing is called ${name} in:\n${seen}`);
  return found;
}
const upload = (name: string, ...files: string[]): [string, object] => [
  'upload_file',
  { ref: ref(name), files },
];

describe('uploading', () => {
  it('asks with the files, the element and its site on the card, and gives a hidden input behind a label their bytes', async () => {
    await attach(report, notes);
    const [looked] = await outcomesOf(['snapshot']);
    seen = looked?.result?.text ?? '';
    // The worker that attached them is gone.
    await scene.portside.endWorker();
    await begin(upload('Papers', report.name, notes.name));
    await approval().waitFor();
    const card = (await approval().textContent()) ?? '';
    expect(card).toMatch(/Upload files, Portside/);
    for (const said of [
      report.name,
      notes.name,
      `${notes.name}, 12 B`,
      'Papers',
      new URL(site.url).host,
      'Sends data out',
    ])
      expect(card).toContain(said);
    expect(await done()).toEqual([]);
    await decide(approval(), 'Allow for this chat');
    await answered().waitFor();
    await scene.idle();
    const [uploaded] = (await scene.stored()).toolCalls.slice(-1);
    expect(uploaded && outcome(uploaded)).toEqual([
      'success',
      expect.stringContaining('Files in the file input of'),
    ]);
    expect(uploaded?.result?.text).toContain(
      `"${report.name}" (${report.buffer.length} bytes, application/pdf)`,
    );
    expect(await done()).toEqual(['papers input', `papers: ${told(report)}; ${told(notes)}`]);
  });

  it('drops onto a zone, and finds the input behind a button', async () => {
    await page.reload();
    const [looked] = await outcomesOf(['snapshot']);
    seen = looked?.result?.text ?? '';
    const all = await outcomesOf(
      upload('Zone', report.name, notes.name),
      upload('Pick', notes.name),
      upload('Sent at once', report.name),
    );
    expect(all.map(outcome)).toEqual([
      ['success', expect.stringMatching(/Dropped "Report[^]*Done: zone/)],
      [
        'success',
        expect.stringContaining(
          'Pressed button "Pick". Files in the file input of button "Pick" now: "notes',
        ),
      ],
      ['success', expect.stringMatching(/It was given "Report.*the page took that out at once/)],
    ]);
    expect(await done()).toEqual([
      `zone: ${told(report)}; ${told(notes)}`,
      'picked input',
      `picked: ${told(notes)}`,
      `sent: ${told(report)}`,
    ]);
  });

  it('asks about a press on what opens a file input, though uploads are allowed there', async () => {
    const before = await done();
    await begin(upload('Pick', notes.name));
    await approval().getByText('This also presses the button.').waitFor();
    await decide(approval(), 'Deny');
    await answered().waitFor();
    await scene.idle();
    expect(await done()).toEqual(before);
    const [given] = await outcomesOf(upload('Papers', notes.name));
    expect(given?.allowed).toBe('before');
  });

  it('gives what a tool gave', async () => {
    const [shot, uploaded] = await outcomesOf(['screenshot'], upload('Papers', 'result:screenshot'));
    const [image] = shot?.result?.blocks ?? [];
    const data = image?.type === 'image' ? image.data : '';
    expect(uploaded?.status).toBe('success');
    expect((await done()).at(-1)).toBe(
      `papers: screenshot.jpg image/jpeg ${hash(Buffer.from(data, 'base64'))}`,
    );
  });

  it('says why nothing takes a file, and which there are', async () => {
    const before = await done();
    const all = await outcomesOf(
      upload('Papers', 'passport.pdf'),
      upload('Portrait', report.name),
      upload('Pick', report.name, notes.name),
      upload('Wall', report.name),
    );
    expect(all.map(outcome)).toEqual([
      [
        'error',
        expect.stringMatching(
          /no file "passport.pdf"\. There are: .*"result:screenshot\/1" \(screenshot.jpg, .*"Report \(1\).pdf"/,
        ),
      ],
      ['error', expect.stringContaining('takes only image/png, .jpg, and Report (1).pdf is application/pdf')],
      ['error', expect.stringContaining('takes one file alone')],
      ['error', expect.stringContaining('takes no files')],
    ]);
    expect(await done()).toEqual(before);
  });
});
