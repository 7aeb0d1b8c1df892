import type { Offer } from '../types/offer.ts';
import { aboutOf } from './line.ts';
import type { Line, LineDeps } from './line.ts';
import { listOffer, listTools } from './offer/listing.ts';
import type { RemoteTool } from './session.ts';

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
  const [tools, offer] = await Promise.all([
    listTools(line.client, { signal, onProblem }),
    listedOffer(line, onProblem, signal, before?.offer),
  ]);
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
    return await listOffer(line.client, about, { signal: soon, onProblem }, before);
  } catch {
    signal.throwIfAborted();
    onProblem(`Prompts and resources were not listed within ${OFFER_TIME / 1000} s.`);
    if (before) return before;
    const { prompts: _prompts, resources: _resources, ...capabilities } = about.capabilities;
    return listOffer(line.client, { ...about, capabilities }, {});
  }
}
