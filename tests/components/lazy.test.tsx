import { parseHTML } from 'linkedom';
import { render } from 'preact';
import { describe, expect, it, vi } from 'vitest';
import { lazy, loadViews, viewsFrom } from '../../components/ui/lazy.tsx';

describe('a view whose code comes when it is first shown', () => {
  it('is shown when the code came between drawing nothing and looking for it', async () => {
    const { document } = parseHTML('<main></main>');
    vi.stubGlobal('document', document);
    const root = document.querySelector('main') as unknown as HTMLElement;
    const Late = lazy(() => () => <p>Here</p>);

    viewsFrom(() => import('../../components/views.ts'));
    render(<Late />, root);
    const loaded = loadViews();
    expect(root.textContent).toBe('');
    await loaded;
    await vi.waitFor(() => expect(root.textContent).toBe('Here'));
  });
});
