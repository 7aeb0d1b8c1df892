import * as dom from '../dom/dom.ts';
import type { Done } from './done.ts';
import { isInNewTab, baseTarget } from './mouse.ts';

/**
 * Notes which form an action has sent to a new tab, which Chromium opens in front, and Firefox not at all. One that only asks for a
 * page of the document's own site is not sent: its address is opened behind instead.
 * @param near what is acted on: the event does not leave its shadow tree
 * @returns its end: where the form leads
 */
export function watchSent(near: Element): () => Pick<Done, 'opens' | 'sends'> {
  let sent: Pick<Done, 'opens' | 'sends'> = {};
  const note = (event: Event): void => {
    const { target: form, submitter, defaultPrevented } = event as SubmitEvent;
    if (defaultPrevented || !(form instanceof HTMLFormElement)) return;
    const given = (name: string): string | null =>
      (submitter && dom.attribute(submitter, `form${name}`)) ?? dom.attribute(form, name);
    const url = URL.parse(given('action') || document.URL, document.baseURI);
    const method = given('method')?.toLowerCase();
    if (!url || method === 'dialog' || !isInNewTab(given('target') ?? baseTarget())) return;
    const isAsking = method !== 'post' && url.origin === self.origin;
    if (!isAsking || document.characterSet !== 'UTF-8') return void (sent = { sends: url.href });
    event.preventDefault();
    const fields = [...new FormData(form, submitter)].map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll(/\r?\n|\r/g, '\r\n') : value.name,
    ]);
    url.search = String(new URLSearchParams(fields));
    sent = { opens: url.href };
  };
  const tree = dom.treeOf(near);
  const trees = tree === document ? [window] : [window, tree];
  for (const each of trees) each.addEventListener('submit', note);
  return () => {
    for (const each of trees) each.removeEventListener('submit', note);
    return sent;
  };
}
