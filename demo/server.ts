import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';

/** `url` is the server's Streamable HTTP address. */
export type DemoServer = { url: string; stop: () => Promise<void> };

const startDeadline = 20_000;
const entry = '../node_modules/@modelcontextprotocol/server-everything/dist/index.js';

/**
 * Starts the reference server `@modelcontextprotocol/server-everything` over Streamable HTTP on a free port, and waits
 * until it answers. It ends with this process at the latest.
 * @throws Error with the server's own words when it does not start
 */
export async function startDemoServer(): Promise<DemoServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/mcp`;
  const child = spawn(process.execPath, [fileURLToPath(new URL(entry, import.meta.url)), 'streamableHttp'], {
    env: serverEnvironment(port),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  let words = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-2000);
  });
  const stop = async () => {
    process.off('exit', kill);
    if (isRunning(child)) {
      const exited = once(child, 'exit');
      kill();
      await exited;
    }
  };
  if (await answers(url, child)) return { url, stop };
  await stop();
  throw new Error(`The demo MCP server did not start on port ${port}. ${words.trim()}`);
}

/** A port that was free a moment ago; the operating system does not hand it out again at once. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Any HTTP answer will do: without a session, 400 is the right one. */
async function answers(url: string, child: ChildProcess): Promise<boolean> {
  const deadline = Date.now() + startDeadline;
  while (isRunning(child) && Date.now() < deadline) {
    const status = await fetch(url, { signal: AbortSignal.timeout(2000) }).then(
      (response) => response.status,
      () => undefined,
    );
    if (status !== undefined) return true;
    await sleep(50);
  }
  return false;
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

/** Nothing of the person's environment but what Node needs: the server has a tool that tells all it has. */
function serverEnvironment(port: number): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP } = process.env;
  return { PORT: String(port), PATH, SystemRoot, TEMP };
}
