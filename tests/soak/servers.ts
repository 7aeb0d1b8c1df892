import { startMcpServer, type TestMcpServer } from '../fakes/mcp-server.ts';
import {
  call,
  end,
  type Gate,
  gate,
  type ModelServer,
  type Part,
  type RecordedRequest,
  startModelServer,
  stream,
  text,
} from '../fakes/model-server.ts';
import { offered } from '../e2e/support/inputs.ts';

export type Servers = {
  model: ModelServer;
  mcp: TestMcpServer;
  /** The next answer breaks off in its middle, or stands still for a while. */
  spoil: (how: 'cut' | 'stall') => void;
  close: () => Promise<void>;
};

const PIECE_MS = 40;
const STALL_MS = 2500;

/** Opens itself so long after it was reached. */
function pause(ms: number): Gate {
  const own = gate();
  void own.reached.then(() => setTimeout(own.open, ms));
  return own;
}

/** A model that does what the question says, in pieces that take their time, and an MCP server that counts. */
export async function startServers(): Promise<Servers> {
  const [model, mcp] = await Promise.all([startModelServer(), startMcpServer()]);
  let spoiled: 'cut' | 'stall' | undefined;
  model.otherwise((request) => {
    const how = spoiled;
    spoiled = undefined;
    return stream(slowly(partsFor(request), how));
  });
  return {
    model,
    mcp,
    spoil: (how) => (spoiled = how),
    close: async () => void (await Promise.all([model.close(), mcp.close()])),
  };
}

function partsFor({ body: { messages } }: RecordedRequest): Part[] {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const question = /Question (\d+-\d+) (\w+)/.exec(messages[asked]?.content ?? '');
  const [, id = '?', kind = 'text'] = question ?? [];
  const hasResults = messages.slice(asked).some(({ role }) => role === 'tool');
  if (kind === 'text' || hasResults) return text('This ', 'answers ', 'question ', id, '.');
  const read = (index: number) =>
    call({ id: `read${index}`, index, name: offered('look_up'), arguments: `{"word":"${id}"}`, pieces: 2 });
  const write = (index: number) =>
    call({ id: 'write', index, name: offered('write_note'), arguments: `{"text":"${id}"}`, pieces: 2 });
  if (kind === 'read') return read(0);
  return kind === 'effect' ? write(0) : [...read(0), ...write(1), ...read(2)];
}

function slowly(parts: Part[], how: 'cut' | 'stall' | undefined): Part[] {
  const half = Math.ceil(parts.length / 2);
  const spaced = (some: Part[]) => some.flatMap((part) => [pause(PIECE_MS), part]);
  if (how === 'cut') return [...spaced(parts.slice(0, half)), end()];
  return [...spaced(parts.slice(0, half)), ...(how ? [pause(STALL_MS)] : []), ...spaced(parts.slice(half))];
}
