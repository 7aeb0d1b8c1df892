import type { Offer } from '../../types/offer.ts';
import type { Connection } from '../connection.ts';
import { secretsOf } from '../failures.ts';
import { createRedaction } from '../log/redact.ts';

/** What a server says of itself in words of its own. */
const SAID = ['name', 'title', 'version', 'websiteUrl', 'instructions'] as const;

/** What a connected server offers, as pages may show it: a server may say what it was given. */
export function shownOffer(connection: Connection | undefined): Offer | undefined {
  const offer = connection?.offer();
  if (!connection || !offer) return undefined;
  const { text } = createRedaction(secretsOf(connection.config));
  const info = { ...offer.info };
  for (const key of SAID) if (info[key] !== undefined) info[key] = text(info[key], Infinity);
  return { ...offer, info };
}
