import type { Offer } from '../types/offer.ts';
import { aboutOf } from './line.ts';
import type { Line, LineDeps } from './line.ts';
import { listOffer, listTools } from './offer/listing.ts';
import type { ListOptions } from './offer/pages.ts';
import { createCallQueue } from './queue.ts';
import type { RemoteTool } from './session.ts';
import { t } from '../../locales/texts/errors.ts';

export type Lists = { tools: RemoteTool[]; offer: Offer };

/** What a server offers besides its tools is no reason to wait longer, in milliseconds. */
const OFFER_TIME = 5000;

/**
 * Reads all that a connected server offers. What besides its tools can't be read is as it was `before`.
 * @throws what the listing of its tools rejects with; `signal.reason`
 */
export async function listed(
  line: Line,
  log: LineDeps['log'],
  signal: AbortSignal,
  before?: Lists,
): Promise<Lists> {
  const onProblem = (text: string): void => log.note(text, true);
  const listing = listTools(line.client, { signal, onProblem });
  if (line.isPlain) await listing;
  const [tools, offer] = await Promise.all([listing, listedOffer(line, onProblem, signal, before?.offer)]);
  return { tools, offer };
}

async function listedOffer(
  line: Line,
  onProblem: (text: string) => void,
  signal: AbortSignal,
  before: Offer | undefined,
): Promise<Offer> {
  const about = aboutOf(line);
  try {
    const soon = AbortSignal.any([signal, AbortSignal.timeout(OFFER_TIME)]);
    const turns = createCallQueue(() => (line.isPlain ? 1 : Infinity));
    const inTurn: ListOptions['inTurn'] = (request) => turns.run('', soon, request);
    return await listOffer(line.client, about, { signal: soon, onProblem, inTurn }, before);
  } catch {
    signal.throwIfAborted();
    onProblem(t(($) => $.errors.mcp.log.notListed, { seconds: OFFER_TIME / 1000 }));
    if (before) return before;
    const { prompts: _prompts, resources: _resources, ...capabilities } = about.capabilities;
    return listOffer(line.client, { ...about, capabilities }, {});
  }
}
