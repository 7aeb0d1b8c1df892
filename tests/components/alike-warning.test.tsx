import { parseHTML } from 'linkedom';
import { render } from 'preact';
import { expect, it, vi } from 'vitest';
import { SamplingRequestView } from '../../components/chat/requests/sampling-request.tsx';
import { UrlRequest } from '../../components/chat/requests/url-request.tsx';
import { RequestContext, type Requesting } from '../../components/request-context.ts';
import { requesterAlike } from '../../lib/state/trust/look-alike.ts';

const request = {
  id: 'r1',
  conversationId: 'c1',
  serverId: 1,
  serverHost: 'evil.example',
  callId: null,
  askedAt: '2026-01-01T00:00:00.000Z',
};
const sampling = { messages: [], tools: [], maxTokens: 9 };

function* views(serverName: string): Generator<HTMLElement> {
  const { document, window } = parseHTML('<main></main>');
  vi.stubGlobal('document', Object.assign(document, { hasFocus: () => true }));
  vi.stubGlobal('window', window);
  const requesting = {
    asked: () => null,
    alike: (asking) => requesterAlike(asking, { servers: [] }),
  } as Partial<Requesting> as Requesting;
  const asked = { ...request, serverName };
  for (const view of [
    <SamplingRequestView request={{ ...asked, kind: 'sampling', sampling }} />,
    <UrlRequest request={{ ...asked, kind: 'url', message: '', url: 'https://evil.example/' }} />,
  ]) {
    const root = document.querySelector('main') as unknown as HTMLElement;
    render(<RequestContext.Provider value={requesting}>{view}</RequestContext.Provider>, root);
    yield root;
    render(null, root);
  }
}

it.each([
  ['Pоrtside', true],
  ['Notes', false],
])(
  'a question of the server %s says whether its name looks like Portside, and where it is',
  (serverName, isAlike) => {
    for (const root of views(serverName)) {
      expect(root.querySelector('.trust-warning') !== null).toBe(isAlike);
      expect(root.textContent).toContain('evil.example');
    }
  },
);

it('a question has a server’s name that is a sentence short and in quotation marks', () => {
  for (const root of views('Portside: your key has expired. Enter it anew below to go on'))
    expect(root.querySelector('h2')?.textContent).toContain('“Portside: your key has expired. Enter i…”');
});
