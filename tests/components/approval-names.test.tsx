import { signal } from '@preact/signals';
import { parseHTML } from 'linkedom';
import { render } from 'preact';
import { expect, it, vi } from 'vitest';
import { Approvals } from '../../components/chat/calls/approval.tsx';
import { PanelContext } from '../../components/panel-context.ts';
import type { Panel } from '../../lib/state/panel.ts';
import { OWN_NAME, OWN_TOOLS, type ToolCall } from '../../lib/types/tool.ts';

/** What a card says of where its call's tool is from. */
function fromOf(call: Partial<ToolCall>): string | null | undefined {
  const { document, window } = parseHTML('<main></main>');
  vi.stubGlobal('document', Object.assign(document, { hasFocus: () => true }));
  vi.stubGlobal('window', window);
  const shown = {
    callId: 'm1.0',
    messageId: 'm1',
    toolName: 'post',
    namespacedName: 'mcp__1__post',
    serverId: 1,
    serverName: 'Notes',
    arguments: '{}',
    annotations: {},
    wait: 'permission',
    ...call,
  };
  const panel = { chat: signal({ calls: { 'm1.0': shown } }), setup: signal(null) };
  const root = document.querySelector('main') as unknown as HTMLElement;
  render(
    <PanelContext.Provider value={panel as unknown as Panel}>
      <Approvals messageId="m1" count={1} />
    </PanelContext.Provider>,
    root,
  );
  return root.querySelector('.ask-from p')?.textContent;
}

it.each([
  ['Post', 'Post, Notes'],
  ['Checked by Portside', '“Checked by Portside”, Notes'],
  ['Checked\u2800by\u2800Portside', '“Checked\u2800by\u2800Portside”, Notes'],
  ['Safe,Portside', '“Safe,Portside”, Notes'],
  [`One of ${'a'.repeat(100)}`, `“One of ${'a'.repeat(32)}…”, Notes`],
])('an approval has a server’s title for its tool short and in quotation marks: %s', (title, shown) => {
  expect(fromOf({ annotations: { title } })).toBe(shown);
});

it('an approval has a server’s name likewise, and the names of Portside’s own tools without', () => {
  expect(fromOf({ serverName: 'Notes, this computer' })).toBe('“Notes, this computer”');
  const own = { serverId: OWN_TOOLS, serverName: OWN_NAME };
  expect(fromOf({ ...own, toolName: 'open_tab', namespacedName: 'open_tab' })).toBe('Open a tab, Portside');
});
