import { browser } from 'wxt/browser';
import { toWire } from '../../lib/errors.ts';
import { readContent } from './read-content.ts';
import type { PageReading } from '../../lib/types/page.ts';

/**
 * A document that nobody sees, in which the worker, which has no DOM, has pages turned into Markdown: off the page's own
 * thread, and out of its reach. The worker opens it when it needs it, and closes it then.
 */
browser.runtime.onMessage.addListener((message: unknown, sender) => {
  if (sender.id !== browser.runtime.id || sender.tab || !isReading(message)) return undefined;
  return readContent(message.reading).then(
    (reply) => ({ ok: true, reply }),
    (error: unknown) => ({ ok: false, error: toWire(error) }),
  );
});

function isReading(message: unknown): message is { reading: PageReading } {
  return typeof message === 'object' && message !== null && 'reading' in message;
}
