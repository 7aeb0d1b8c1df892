import { fromWire } from '../../lib/errors.ts';
import type { Commands } from '../../lib/protocol/commands.ts';
import type { NativeHostStatus } from '../../lib/protocol/servers.ts';
import type { CheckStep, DoctorStep } from '../../lib/types/native-host.ts';

import { t } from '../../locales/texts/errors.ts';

type Replies = Partial<{ [K in keyof Commands]: (request: never) => unknown }>;

const policy = {
  file: '~/.local/share/portside/policy.json',
  commands: ['npx', 'uvx', '/usr/bin/docker'],
};
const about = { version: '0.1.0', node: '24.21.0' };
const missing = {
  code: 'native_host_missing',
  ...t(($) => $.errors.nativeHost.missing),
  cause: 'Specified native messaging host not found.',
  retryable: false,
};
const statuses: Record<string, NativeHostStatus> = {
  '': { state: 'ready', ...about, policy: null },
  policy: { state: 'ready', ...about, policy },
  missing: { state: 'missing', error: missing },
  not_allowed: {
    state: 'not_allowed',
    error: { code: 'native_host_not_allowed', ...t(($) => $.errors.nativeHost.notAllowed), retryable: false },
  },
  waiting: {
    state: 'waiting',
    error: { code: 'native_host_waiting', ...t(($) => $.errors.nativeHost.waiting), retryable: false },
  },
  outdated: {
    state: 'outdated',
    version: '0.0.9',
    isOld: true,
    error: {
      code: 'native_host_outdated',
      ...t(($) => $.errors.nativeHost.outdated, { version: '0.0.9', isOld: true }),
      retryable: false,
    },
  },
};

const installation: DoctorStep[] = [
  { ok: true, text: 'Native host 0.1.0 is installed in ~/.local/share/portside' },
  { ok: true, text: 'Node 24.21.0 found at ~/.nvm/versions/node/v24.21.0/bin/node' },
  { ok: true, text: 'Chromium: manifest present and valid, Portside allowed' },
  {
    ok: false,
    text: 'Vivaldi: there is no manifest at ~/.config/vivaldi/NativeMessagingHosts/app.portside.native_host.json',
    fix: 'Run: node portside-native-host.mjs install',
  },
];

const checks: Record<string, CheckStep[]> = {
  works: [
    { step: 'command', ok: true, path: '/usr/bin/npx' },
    { step: 'start', ok: true },
    { step: 'answer', ok: true, name: 'memory-server', version: '0.6.3', protocolVersion: '2025-11-25' },
  ],
  ends: [
    { step: 'command', ok: true, path: '/usr/bin/npx' },
    {
      step: 'start',
      ok: false,
      exit: {
        type: 'ended',
        code: 1,
        signal: null,
        stderr: ['Error: ENOENT: no such file or directory', "path: '~/Documents'"],
      },
    },
  ],
};

/** A native host, or none, by the name of how it is. */
export function nativeHostReplies(name: string): Replies {
  const status = statuses[name];
  return {
    nativeHost: () => status,
    checkNativeHost: () => installation,
    checkProgram: ({ id }: { id?: number }) => (id === 7 ? checks['ends'] : checks['works']),
    allowCheck: () => undefined,
    allowLaunch: () => ({ ok: true }),
    findConfigs: () => {
      if (status?.state !== 'ready') throw fromWire(missing);
      return [
        {
          application: 'Claude Desktop',
          path: '~/.config/Claude/claude_desktop_config.json',
          text: '{}',
        },
        { application: 'Cursor', path: '~/.cursor/mcp.json', text: '{}' },
      ];
    },
  };
}
