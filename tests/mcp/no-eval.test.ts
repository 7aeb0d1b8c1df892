import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startEverything } from './everything-server.ts';
import { freePort } from './free-port.ts';

const client = fileURLToPath(new URL('watched-client.ts', import.meta.url));

describe('the MCP client', () => {
  // In a process of its own: what other files load of zod, without our setting, would compile here.
  it('never makes code from text, which extension pages forbid', async () => {
    const port = await freePort();
    await startEverything('streamableHttp', port);
    const args = ['--no-warnings', client, `http://127.0.0.1:${port}/mcp`];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(JSON.parse(stdout)).toEqual({ status: 'success', made: [] });
  });
});
