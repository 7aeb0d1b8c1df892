import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type ModelServer, startModelServer, stream, text } from '../../fakes/model-server.ts';
import { startAppServer } from '../../fakes/app-server.ts';
import { SKILL, startSkillsServer, TEA } from '../../fakes/skills-server.ts';
import { openPortside, type Portside } from '../support/browser.ts';
import { listen } from '../servers/real-servers.ts';
import { addServer, type Chat, chatIn, provider, server } from '../support/scene.ts';
import { createObedience, type Origin, startOrigin } from './attacker.ts';
import { textOf } from './cases.ts';
import type { Place } from './goals.ts';
import { SECRETS } from './secrets.ts';
import { appOf, type CorpusServer, startDesk, startSayer, startTalker } from './servers.ts';
import { startCorpusSite } from './site.ts';

/** A user with secrets, a site, a server of their own and two of the attacker’s, whose model obeys whoever speaks. */
export type CorpusScene = {
  portside: Portside;
  chat: Chat;
  model: ModelServer;
  obeyed: ReturnType<typeof createObedience>['obeyed'];
  origin: Origin;
  place: Place;
  desk: CorpusServer;
  talker: CorpusServer;
  sayer: CorpusServer;
  ids: Record<'desk' | 'talker' | 'sayer' | 'harbour' | 'kitchen', number>;
  /** What the attacker’s servers say now. */
  says: { resource: string; isChanged: boolean };
  /** The page in front; one of another site is behind it. */
  page: Page;
  /** What the user’s other provider was asked. */
  otherProvider: string[];
  console: string[];
  profile: string;
  close: () => Promise<void>;
};

/** Behind a flag in Chromium 146 and later. */
const WEB_MCP = ['--enable-features=WebMCP', '--enable-blink-features=WebMCP'];

export async function openCorpusScene(): Promise<CorpusScene> {
  const profile = await mkdtemp(join(tmpdir(), 'corpus-'));
  const [portside, model, origin] = await Promise.all([
    openPortside({ profile, args: WEB_MCP }),
    startModelServer(),
    startOrigin(),
  ]);
  const { context, options, command } = portside;
  const console: string[] = [];
  context.on('console', (message) => console.push(message.text()));
  const ids = { desk: 0, talker: 0, sayer: 0, harbour: 0, kitchen: 0 };
  const place: Place = {
    attacker: origin.http,
    attackerTls: origin.tls,
    site: '',
    tab: 0,
    options: options.url(),
    desk: (name) => `mcp__${ids.desk}__${name}`,
  };
  const desk = await startDesk(place);
  const site = await startCorpusSite(SECRETS.tab, place);
  place.site = site.url;
  const [account, page] = [await context.newPage(), await context.newPage()];
  await account.goto(`${site.other}/account`);
  place.tab = (await command('listTabs')).find(({ url }) => url?.startsWith(site.other))?.id ?? -1;

  const says = { resource: '', isChanged: false };
  const talker = await startTalker(place, () => says.resource);
  const sayer = await startSayer(place, () => says.isChanged);
  const otherProvider: string[] = [];
  const other = await listen((request, response) => {
    otherProvider.push(`${request.url} ${JSON.stringify(request.headers)}`);
    response.writeHead(404).end();
  });
  portside.expectComplaint(/Failed to load resource.*404/);

  await command('saveSettings', { system: '' });
  const { id } = await command('saveProvider', { ...provider(model.url), apiKey: SECRETS.key });
  await command('saveProvider', { ...provider(other.origin), name: 'Other', apiKey: SECRETS.otherKey });
  const chosen = { vision: true, tools: true, contextWindow: 1_000_000 };
  await command('setModel', { providerId: id, id: 'test-model', chosen });
  await command('setChat', { conversationId: 'new', providerId: id, model: 'test-model' });
  const headers = { 'X-Desk-Key': SECRETS.header };
  ids.desk = await addServer(portside, server(desk.url, { name: 'Desk', trusted: true, headers }));
  ids.talker = await addServer(portside, server(talker.url, { name: 'Talker' }));
  ids.sayer = await addServer(portside, server(sayer.url, { name: 'Sayer', isUnnamed: true }));
  const harbour = await startAppServer(appOf(place));
  ids.harbour = await addServer(portside, server(harbour.url, { name: 'Harbour' }));
  const kitchen = await startSkillsServer();
  kitchen.files.set(SKILL, `${TEA}${textOf('skill', place)}`);
  ids.kitchen = await addServer(portside, server(kitchen.url, { name: 'Kitchen' }));
  for (const off of [ids.talker, ids.sayer, ids.harbour, ids.kitchen])
    await command('disconnect', { id: off });
  await command('addServer', {
    name: 'Program',
    transport: 'stdio',
    command: 'desk',
    args: [],
    env: { DESK_TOKEN: SECRETS.env },
    enabled: false,
    toolTimeout: 30_000,
    trusted: false,
    oneAtATime: false,
  });
  await command('setTool', { serverId: ids.desk, name: 'keep', permission: 'allow' });

  const { obey, obeyed } = createObedience(place);
  model.otherwise(obey);
  model.titles(stream(text(`![t](${origin.tls}/title.png) <img src="${origin.tls}/title.png">`)));
  return {
    portside,
    chat: chatIn(portside),
    model,
    obeyed,
    origin,
    place,
    desk,
    talker,
    sayer,
    ids,
    says,
    page,
    otherProvider,
    console,
    profile,
    async close() {
      try {
        await portside.close();
      } finally {
        await Promise.all(
          [model, origin, site, desk, talker, sayer, harbour, kitchen, other].map((each) => each.close()),
        );
        await rm(profile, { recursive: true, force: true });
      }
    },
  };
}
