import 'fake-indexeddb/auto';
import { describe, expect, it, vi } from 'vitest';
import { readSetup } from '../../entrypoints/background/subscribe/setup.ts';
import type { PanelEvent } from '../../lib/protocol/panel.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import { putServer } from '../../lib/storage/configuration/servers.ts';
import { syncTools } from '../../lib/storage/configuration/tools.ts';
import { input } from './rig.ts';

vi.mock('wxt/browser', () => ({ browser: {} }));

/** What a port of Chromium carries in one message. */
const PORT_BYTES = 64 * 1024 * 1024;

const read = async (tools: Parameters<typeof syncTools>[2], trusted = false) => {
  const db = await openDatabase(crypto.randomUUID());
  await syncTools(db, await putServer(db, { ...input, trusted }), tools);
  return readSetup(db, () => ({ state: 'connected', toolCount: tools.length }));
};
const tool = {
  name: 'echo',
  offeredName: 'mcp__1__echo',
  description: 'Says it again.',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

describe('what every page gets of what is set up', () => {
  it('fits into one message with fifty servers, each with five hundred tools that say all they can', async () => {
    const large = (index: number) => ({
      ...tool,
      name: `${index}`.padStart(256, '語'),
      offeredName: `${index}`.padStart(64, 'x'),
      title: '語'.repeat(200),
      description: '語'.repeat(50_000),
      annotations: {
        title: '語'.repeat(200),
        readOnlyHint: true,
        destructiveHint: true,
        openWorldHint: true,
      },
      icons: [1, 2, 3, 4].map(() => ({ src: `data:image/png;base64,${'A'.repeat(64_000)}` })),
    });
    const setup = await read(Array.from({ length: 500 }, (_, index) => large(index)));
    expect(setup.tools).toHaveLength(500);
    const event: PanelEvent = { type: 'setup', revision: { epoch: 'e1', number: 1 }, setup };
    expect(50 * Buffer.byteLength(JSON.stringify(event))).toBeLessThan(PORT_BYTES);
  });

  it('has of a tool the beginning of its description and what the whole costs, without schema and icons', async () => {
    const icons = [{ src: 'data:image/png;base64,AAAA' }];
    const { tools } = await read([{ ...tool, description: 'x'.repeat(1000), icons }]);
    expect(tools).toEqual([
      {
        serverId: 1,
        name: 'echo',
        offeredName: 'mcp__1__echo',
        description: `${'x'.repeat(299)}…`,
        annotations: { readOnlyHint: true, openWorldHint: false },
        enabled: true,
        present: true,
        permission: 'ask',
        tokens: Math.ceil((12 + 1000 + 17) / 3.5),
      },
    ]);
  });

  it('has the permission in force, and the title wherever the server put it', async () => {
    const { tools } = await read(
      [{ ...tool, annotations: { readOnlyHint: true, openWorldHint: false, title: 'Say it' } }],
      true,
    );
    expect(tools).toMatchObject([
      { permission: 'allow', title: 'Say it', annotations: { readOnlyHint: true, openWorldHint: false } },
    ]);
  });
});
