import { createQueue } from '../../async.ts';
import type { Offer } from '../../types/offer.ts';
import { anyObject, type Raw } from '../content/raw.ts';
import { aboutOf, type ChannelDeps, type ClientChannel, NO_TIMEOUT } from './client-channel.ts';
import { listOffer, listTools } from '../offer/listing.ts';
import type { ListOptions } from '../offer/pages.ts';
import type { RemoteTool } from '../offer/read-tools.ts';
import { listSkills, skillsOver } from '../offer/skills.ts';
import { t } from '../../../locales/texts/errors.ts';

/** `skills`: in the shape of tools (../offer/skills.ts). */
export type Lists = { tools: RemoteTool[]; skills: RemoteTool[]; offer: Offer };

/** What a server offers besides its tools is no reason to wait longer, in milliseconds. */
const OFFER_TIME = 5000;

/**
 * Reads all that a connected server offers. What besides its tools can't be read is as it was `before`.
 * @throws what the listing of its tools rejects with; `signal.reason`
 */
export async function listed(
  channel: ClientChannel,
  log: ChannelDeps['log'],
  signal: AbortSignal,
  before?: Lists,
): Promise<Lists> {
  const onProblem = log.problem;
  const listing = listTools(channel.client, { signal, onProblem });
  if (channel.isPlain) await listing;
  const [tools, skills, offer] = await Promise.all([
    listing,
    listedSkills(channel, onProblem, signal, before?.skills),
    listedOffer(channel, onProblem, signal, before?.offer),
  ]);
  return { tools, skills, offer };
}

async function listedOffer(
  channel: ClientChannel,
  onProblem: (text: string) => void,
  signal: AbortSignal,
  before: Offer | undefined,
): Promise<Offer> {
  const about = aboutOf(channel);
  try {
    const soon = AbortSignal.any([signal, AbortSignal.timeout(OFFER_TIME)]);
    const turns = createQueue(() => (channel.isPlain ? 1 : Infinity));
    const inTurn: ListOptions['inTurn'] = (request) => turns.run('', soon, request);
    return await listOffer(channel.client, about, { signal: soon, onProblem, inTurn }, before);
  } catch {
    signal.throwIfAborted();
    onProblem(t(($) => $.errors.mcp.log.notListed, { seconds: OFFER_TIME / 1000 }));
    if (before) return before;
    const { prompts: _prompts, resources: _resources, ...capabilities } = about.capabilities;
    return listOffer(channel.client, { ...about, capabilities }, {});
  }
}

async function listedSkills(
  { client }: ClientChannel,
  onProblem: (text: string) => void,
  signal: AbortSignal,
  before: RemoteTool[] = [],
): Promise<RemoteTool[]> {
  const within = { signal: AbortSignal.any([signal, AbortSignal.timeout(OFFER_TIME)]), timeout: NO_TIMEOUT };
  const send = (method: string, params: Raw) => client.request({ method, params }, anyObject, within);
  try {
    return await listSkills(skillsOver(client, send), before, { onProblem });
  } catch (error) {
    signal.throwIfAborted();
    const why = error instanceof Error ? error.message : String(error);
    onProblem(t(($) => $.errors.mcp.log.failed, { method: 'skills/list', why }));
    return before;
  }
}
