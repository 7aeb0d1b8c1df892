import type { NativeReply, NativeRequest } from '../lib/types/native-host.ts';
import { check } from './check.ts';
import { findConfigs } from './configs.ts';
import { checkInstallation } from './doctor/installation.ts';
import { thisMachine } from './install/machine.ts';
import { VERSION } from './version.ts';

/** Answers what the worker asks besides running servers. `path`: the person's, `folder`: of the policy. Never throws. */
export async function reply(
  request: NativeRequest,
  path: () => Promise<string[]>,
  folder: string,
): Promise<NativeReply> {
  try {
    switch (request.type) {
      case 'check':
        return { type: 'steps', steps: await check(request.launch, await path(), folder) };
      case 'find_configs':
        return { type: 'configs', configs: findConfigs() };
      case 'doctor':
        return { type: 'doctor', steps: checkInstallation(thisMachine(), VERSION, folder) };
    }
  } catch (error) {
    return { type: 'failed', why: error instanceof Error ? error.message : String(error) };
  }
}
