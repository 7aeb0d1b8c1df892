import type { GivenClient, Subject } from './subject.ts';

/** What a suite says of one scenario: the address it listens at, and what else its client has to know. */
export type Scenario = { name: string; url: string; context: Record<string, unknown> };

type ToolCall = { name: string; arguments: Record<string, unknown> };

/** A scenario that asks for more sign-ins is in a loop. */
const MOST_SIGN_INS = 3;

/**
 * Does with a scenario's server what a user would: connects, signs in whenever that is asked for, and uses all that
 * the server offers once.
 * @throws Error when the server can't be used, which several scenarios expect
 */
export async function play(subject: Subject, { name: scenario, url, context }: Scenario): Promise<void> {
  const id = await subject.add(url, givenClient(context));
  try {
    await signedIn(subject, id);
    const calls = await callsOf(subject, id, context);
    for (const call of calls) {
      await subject.call(id, call.name, call.arguments);
      // The server may want more than it was given before.
      if (await signedIn(subject, id)) await subject.call(id, call.name, call.arguments);
    }
    const { prompts, resources } = await subject.offer(id);
    for (const name of prompts) await subject.getPrompt(id, name);
    for (const uri of resources) await subject.readResource(id, uri);
    if (scenario !== LISTS_SKILLS) await loadSkills(subject, id);
  } finally {
    await subject.remove(id);
  }
}

/** In which a client that reads a skill fails: to have it listed is all that its user wants. */
const LISTS_SKILLS = 'sep-2640-client-no-prefetch';

async function loadSkills(subject: Subject, id: number): Promise<void> {
  for (const { uri, files } of await subject.skills(id)) {
    await subject.loadSkill(id, uri);
    for (const file of files) if (file !== uri) await subject.loadSkill(id, uri, file);
  }
}

/** @returns whether that was necessary */
async function signedIn(subject: Subject, id: number): Promise<boolean> {
  for (let times = 0; ; times++) {
    const { state, reason, error } = await subject.status(id);
    if (state === 'error') throw new Error(error?.message);
    if (reason !== 'sign_in' || times === MOST_SIGN_INS) return times > 0;
    await subject.signIn(id);
  }
}

async function callsOf(subject: Subject, id: number, context: Scenario['context']): Promise<ToolCall[]> {
  const given = context['toolCalls'];
  if (Array.isArray(given)) return given as ToolCall[];
  return (await subject.tools(id)).map(({ name, inputSchema }) => ({ name, arguments: sample(inputSchema) }));
}

/** Something for every property of a tool's schema. */
function sample({ properties = {} }: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(properties as Record<string, { type?: unknown }>);
  return Object.fromEntries(entries.map(([name, { type }]) => [name, SAMPLES[String(type)] ?? 'sample']));
}

const SAMPLES: Record<string, unknown> = {
  number: 2,
  integer: 2,
  boolean: true,
  array: [],
  object: {},
  null: null,
};

function givenClient({ client_id: id, client_secret: secret }: Scenario['context']): GivenClient | undefined {
  return typeof id === 'string' && typeof secret === 'string' ? { id, secret } : undefined;
}
