import { signal } from '@preact/signals';
import { parseHTML } from 'linkedom';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Approvals } from '../../components/chat/calls/approval.tsx';
import { PanelContext } from '../../components/panel-context.ts';
import type { Panel } from '../../lib/state/panel.ts';
import { OWN_NAME, OWN_TOOLS } from '../../lib/types/tools/tool-source.ts';

const FORM = {
  fields: [
    { ref: 'e1', value: 'Eve' },
    { ref: 'e2', value: 'e@f.example' },
  ],
};
const resolveCall = vi.fn<Panel['resolveCall']>(async () => null);
/** What the schema has against edited arguments. */
let problem: string | null = null;
let root: HTMLElement;

beforeEach(async () => {
  problem = null;
  resolveCall.mockClear();
  const { document, window } = parseHTML('<main></main>');
  vi.stubGlobal('document', Object.assign(document, { hasFocus: () => true }));
  vi.stubGlobal('window', window);
  vi.stubGlobal('Event', window.Event);
  vi.stubGlobal('CSS', { supports: () => true });
  const calls = [
    ['fill_form', FORM],
    ['set_checked', { ref: 'e3', checked: true }],
    ['click', { ref: 'e4' }],
  ] as const;
  const rows = calls.map(([toolName, args], at) => ({
    callId: `m1.${at}`,
    messageId: 'm1',
    toolName,
    namespacedName: toolName,
    serverId: OWN_TOOLS,
    serverName: OWN_NAME,
    arguments: JSON.stringify(args),
    annotations: { openWorldHint: true },
    reads: 'https://shop.example',
    targets: { e1: 'textbox "Name"', e2: 'textbox "Mail"', e3: 'checkbox "Gift"', e4: 'button "Order"' },
    wait: 'permission',
    ...(toolName === 'click' && { submits: true }),
  }));
  const panel = {
    chat: signal({ calls: Object.fromEntries(rows.map((row) => [row.callId, row])) }),
    setup: signal(null),
    command: async () => ({ reply: problem }),
    resolveCall,
  };
  root = document.querySelector('main') as unknown as HTMLElement;
  await act(() =>
    render(
      <PanelContext.Provider value={panel as unknown as Panel}>
        <Approvals callIds={rows.map(({ callId }) => callId)} />
      </PanelContext.Provider>,
      root,
    ),
  );
  // Nothing is answered in a card's first moment.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_000);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const title = () => root.querySelector('h2')?.textContent;
const item = (at: number) => root.querySelectorAll('.ask-calls > li')[at];
const allow = () => root.querySelector('.choices button') as HTMLButtonElement;
const areas = () => [...root.querySelectorAll('textarea')];
async function press(button: Element | null | undefined): Promise<void> {
  await act(async () => {
    button?.dispatchEvent(new Event('click', { bubbles: true }));
    await new Promise((answered) => setTimeout(answered));
  });
}
const named = (at: number, label: string) => item(at)?.querySelector(`[aria-label='${label}']`);
async function write(area: HTMLTextAreaElement | undefined, text: string): Promise<void> {
  await act(() => {
    if (area) area.value = text;
    area?.dispatchEvent(new Event('input', { bubbles: true }));
  });
}
const answers = () => resolveCall.mock.calls.map(([callId, answer]) => [callId, answer]);
const ALLOW = { decision: 'allow', scope: 'once' };

it('a plan is allowed with what was changed in a field, without the field and the call that were left out', async () => {
  expect(title()).toBe('Approve 3 calls');
  expect(root.querySelector('.ask-from p')?.textContent).toBe('Portside');
  const heads = [...root.querySelectorAll('.ask-call')].map((each) => each.firstChild?.textContent);
  expect(heads).toEqual(['Fill in a form', 'Check or uncheck', 'Click']);
  expect(root.textContent).not.toContain('"e4"');
  expect(item(2)?.textContent).toContain('This sends a form.');
  await press(named(2, 'Leave out'));
  expect(title()).toBe('Approve 2 calls');
  expect(root.textContent).not.toContain('This sends a form.');
  await press(named(0, 'Edit'));
  expect([...root.querySelectorAll('label')].map((each) => each.textContent)).toEqual([
    'textbox "Name"',
    'textbox "Mail"',
  ]);
  await write(areas()[0], 'Ada');
  await press(named(0, 'Leave out textbox "Mail"'));
  // The last field goes only with its call.
  expect(named(0, 'Leave out textbox "Name"')).toBeNull();
  await press(allow());
  const edited = JSON.stringify({ fields: [{ ref: 'e1', value: 'Ada' }] }, null, 2);
  expect(answers()).toEqual([
    ['m1.0', { ...ALLOW, arguments: edited }],
    ['m1.1', ALLOW],
    ['m1.2', { decision: 'deny' }],
  ]);
});

it('a call that was left out can be put back; when all are there is nothing to allow', async () => {
  for (const at of [0, 1, 2]) await press(named(at, 'Leave out'));
  expect(allow().disabled).toBe(true);
  await press(named(1, 'Put back'));
  await press(allow());
  expect(answers()).toEqual([
    ['m1.0', { decision: 'deny' }],
    ['m1.1', ALLOW],
    ['m1.2', { decision: 'deny' }],
  ]);
});

it('nothing of a plan is allowed while one of its calls does not fit its tool', async () => {
  await press(named(1, 'Edit'));
  await write(areas()[0], '{"ref": 7}');
  problem = 'ref must be a string.';
  await press(allow());
  expect(answers()).toEqual([]);
  expect(item(1)?.textContent).toContain('ref must be a string.');
  expect(allow().disabled).toBe(true);
  await write(areas()[0], '{"ref');
  expect(item(1)?.textContent).toContain('This isn’t valid JSON');
});
