import type { NativeReply, NativeRequest } from '../lib/types/native-host.ts';
import { check, type CheckDeps } from './check.ts';
import { findConfigs } from './configs.ts';
import { checkInstallation } from './doctor/installation.ts';
import { thisMachine } from './install/machine.ts';
import { VERSION } from './version.ts';

/** Answers what the worker asks besides running servers. Never throws. */
export async function reply(request: NativeRequest, deps: CheckDeps): Promise<NativeReply> {
  try {
    switch (request.type) {
      case 'check':
        return { type: 'steps', steps: await check(request.launch, deps) };
      case 'find_configs':
        return { type: 'configs', configs: findConfigs() };
      case 'doctor':
        return { type: 'doctor', steps: checkInstallation(thisMachine(), VERSION, deps.folder) };
    }
  } catch (error) {
    return { type: 'failed', why: error instanceof Error ? error.message : String(error) };
  }
}
