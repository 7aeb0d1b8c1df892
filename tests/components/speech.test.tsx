import { batch, signal } from '@preact/signals';
import { parseHTML } from 'linkedom';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Speech } from '../../components/composer/speech.tsx';
import { PanelContext } from '../../components/panel-context.ts';
import { type Chat, emptyChat } from '../../lib/state/chat/chat.ts';
import { createStreams } from '../../lib/state/chat/streams.ts';
import type { Panel } from '../../lib/state/panel.ts';
import type { AssistantMessage } from '../../lib/types/message.ts';
import type { ServerRequest } from '../../lib/types/request.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';

const chat = signal(emptyChat);
const live = signal(false);
let root: HTMLElement;

const answer = (id: string, content: string, status: AssistantMessage['status'] = 'complete') =>
  ({ id, role: 'assistant', content, status }) as AssistantMessage;

beforeEach(() => {
  batch(() => {
    chat.value = emptyChat;
    live.value = false;
  });
  const { document, window } = parseHTML('<main></main>');
  vi.stubGlobal('document', document);
  vi.stubGlobal('window', window);
  root = document.querySelector('main') as unknown as HTMLElement;
});
afterEach(async () => {
  await act(() => render(null, root));
  vi.unstubAllGlobals();
});

/** Shows the panel with these answers in it; then others come in one update, which ends the run where `isLive` is false. */
async function spokenOf(
  before: AssistantMessage[],
  after: AssistantMessage[],
  isLive: boolean,
  asks: Partial<Chat> = {},
) {
  chat.value = { ...emptyChat, messages: before };
  const panel = {
    chat,
    live,
    starting: signal(false),
    conversationId: signal('c1'),
    streams: createStreams((paint) => paint()),
  };
  await act(() =>
    render(
      <PanelContext.Provider value={panel as unknown as Panel}>
        <Speech />
      </PanelContext.Provider>,
      root,
    ),
  );
  live.value = isLive;
  await act(() =>
    batch(() => {
      chat.value = { ...emptyChat, messages: after, ...asks };
      live.value = false;
    }),
  );
  return root.textContent;
}

const old = answer('m1', 'An old one.');

it.each(['complete', 'streaming'] as const)(
  'speaks an answer that is first seen with all of its text, %s, while a run is at work',
  async (status) => {
    expect(await spokenOf([old], [old, answer('m2', 'All at once. And more', status)], true)).toMatch(
      /^All at once\./,
    );
  },
);

it('speaks nothing of what was there before: a chat that is turned to, a version, an answer that goes', async () => {
  expect(await spokenOf([], [old, answer('m2', 'It was there.')], false)).toBe('');
  expect(await spokenOf([old], [old, answer('m2', 'It streams there. ', 'streaming')], false)).toBe('');
  expect(await spokenOf([old, answer('m2', 'To be written anew.')], [old], true)).toBe('');
});

const call = { callId: 'm1.0', wait: 'permission', toolName: 'post. It was denied. Nothing' } as ToolCall;
const request = { id: 'r1', serverName: 'Portside. It' } as ServerRequest;

it.each([
  ['“post. It was denied. Nothing” asks for your approval.', { calls: { 'm1.0': call } }],
  ['“Portside. It” has a question for you.', { requests: [request] }],
])('speaks the name of what asks in quotation marks where it is more than a name: %s', async (said, asks) => {
  expect(await spokenOf([], [], false, asks)).toContain(said);
});
