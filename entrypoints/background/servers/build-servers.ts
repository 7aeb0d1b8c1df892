import { createNativeLink } from '../../../lib/mcp/transport/native-link.ts';
import type { Core } from '../core.ts';
import type { ModelParts } from '../models/build-models.ts';
import { createSites } from '../page/sites.ts';
import { createConfigFiles } from './config-files.ts';
import { createElicitation } from './elicitation.ts';
import { connectNative, requireNative } from './native-host.ts';
import { createLostServerRetries } from './retry-lost-servers.ts';
import { createSampling } from './sampling.ts';
import { createServerConnections } from './server-connections.ts';
import { createServers } from './servers.ts';
import { createAuthorization, createSignIn } from './sign-in.ts';

export type ServerParts = ReturnType<typeof buildServers>;

export function buildServers(core: Core & ModelParts) {
  const { db, emit, setupChanged: changed, keepAlive, origins, panels, version, showsApps } = core;
  const native = createNativeLink(connectNative, requireNative);
  const authorization = createAuthorization(db, { changed, keepAlive, origins });
  const connections = createServerConnections(db, {
    native,
    version,
    showsApps,
    authProvider: authorization.authProvider,
    changed,
    statusChanged: emit('serverStatus'),
    sendLog: panels.sendLog,
    connected: emit('serverConnected'),
    lost: emit('serverLost'),
    resourceUpdated: emit('resourceUpdated'),
  });
  const servers = createServers(db, {
    connections,
    changed,
    saved: () => core.events.emit('serverSaved'),
    whileAsking: origins.whileAsking,
    forget: authorization.forget,
  });
  return {
    native,
    connections,
    servers,
    retries: createLostServerRetries(connections),
    configFiles: createConfigFiles(db, changed),
    signIn: createSignIn({ authorization, reconnect: servers.reconnect, status: connections.status }),
    sites: createSites(db, { reconnect: servers.reconnect, changed }),
    elicitation: createElicitation(db, { elicitFromUser: createSampling(core), isShown: panels.isShown }),
  };
}
