import { nearnessOf } from '../../../lib/origins.ts';

/** A host, perhaps with a port, and whatever follows it. One label alone is a host only with a port, or as `localhost`. */
const BARE = /^(?:localhost|\[[\da-f:.]+\]|[a-z\d-]+(?:\.[a-z\d-]+)+|[a-z\d-]+(?=:\d))(?::\d+)?(?:[/?#]|$)/i;

/** An address as it is meant: one without a scheme gets one. What is near rarely has a certificate. */
export function completeAddress(typed: string): string {
  const text = typed.trim();
  if (!BARE.test(text)) return text;
  const { hostname = '' } = URL.parse(`http://${text}`) ?? {};
  return `${nearnessOf(hostname) === 'public' ? 'https' : 'http'}://${text}`;
}
