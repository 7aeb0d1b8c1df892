import { parseConfig } from '../files/parse-config.ts';
import type { ServerConfig } from '../protocol.ts';
import type { WorkerLink } from './connection.ts';

/**
 * The servers that the text of another program's configuration file holds, as the worker finds them; nothing is saved.
 * @throws AppError `bad_config`, of the text or of what is in it
 */
export async function readServerConfig(command: WorkerLink['send'], text: string): Promise<ServerConfig> {
  return command('readServerConfig', { root: parseConfig(text) });
}
