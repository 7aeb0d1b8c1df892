import { parseHTML } from 'linkedom';
import { render } from 'preact';
import { expect, it, vi } from 'vitest';
import { UrlRequest } from '../../components/chat/requests/url-request.tsx';
import { RequestContext, type Requesting } from '../../components/request-context.ts';
import type { RequestAnswer, ServerRequest } from '../../lib/types/request.ts';

const request: ServerRequest & { kind: 'url' } = {
  kind: 'url',
  message: 'See https://notes.example/terms first.',
  url: 'https://notes.example/key?for=a',
  id: 'r1',
  conversationId: 'c1',
  serverId: 1,
  serverName: 'Notes',
  serverHost: 'notes.example',
  callId: null,
  askedAt: '2026-01-01T00:00:00.000Z',
};

/** The card as it is drawn, once input is taken, and what comes of each of its buttons. */
async function answersOf(asked: typeof request) {
  const { document, window } = parseHTML('<main></main>');
  vi.stubGlobal('document', Object.assign(document, { hasFocus: () => true }));
  vi.stubGlobal('window', window);
  const given: RequestAnswer[] = [];
  const requesting = {
    alike: () => undefined,
    answerRequest: async (_id, answer) => given.push(answer) > 0,
  } as Partial<Requesting> as Requesting;
  const root = document.querySelector('main') as unknown as HTMLElement;
  const view = <UrlRequest request={asked} />;
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  render(<RequestContext.Provider value={requesting}>{view}</RequestContext.Provider>, root);
  now.mockReturnValue(1_000);
  const buttons = [...root.querySelectorAll('button')];
  for (const button of buttons) {
    button.dispatchEvent(
      new (window as unknown as { Event: typeof Event }).Event('click', { bubbles: true }),
    );
    await Promise.resolve();
    await Promise.resolve();
  }
  now.mockRestore();
  const { textContent } = root;
  const links = root.querySelectorAll('a').length;
  render(null, root);
  return { names: buttons.map((each) => each.textContent?.trim()), given, textContent, links };
}

it('a page that a server wants visited is opened, declined or cancelled, and nothing on its card is a link', async () => {
  const { names, given, textContent, links } = await answersOf(request);
  expect(names).toEqual(['Open notes.example', 'Decline', expect.stringContaining('Cancel')]);
  expect(given).toEqual([{ action: 'accept' }, { action: 'decline' }, { action: 'cancel' }]);
  expect(textContent).toContain('https://notes.example/key?for=a');
  expect(links).toBe(0);
});

it('one that was opened is done with at Continue, or opened again', async () => {
  const { names, given } = await answersOf({ ...request, isOpened: true });
  expect(names.slice(0, 2)).toEqual(['Continue', 'Open notes.example']);
  expect(given.slice(0, 2)).toEqual([{ action: 'accept', isDone: true }, { action: 'accept' }]);
});
