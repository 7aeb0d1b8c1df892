import { exportConfig } from '../../../lib/config-file/export.ts';
import { AppError, toWire } from '../../../lib/errors.ts';
import type { Request } from '../../../lib/protocol/commands.ts';
import type { ServerInput } from '../../../lib/protocol/servers.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { serversWithSecrets } from '../../../lib/storage/configuration/server-secrets.ts';
import { putServer } from '../../../lib/storage/configuration/servers.ts';
import { refused, requireImporter, rules } from '../../../lib/fleet/rules.ts';
import { invalid } from '../input.ts';
import { requireServer } from './server-input.ts';
import { t } from '../../../locales/texts/errors.ts';

/**
 * Servers from and to the configuration files of other programs.
 * @param changed the configuration that pages show is stale
 */
export function createConfigFiles(db: Database, changed: () => Promise<void>) {
  /** Adds servers without asking any of them anything: each is switched on by the user. */
  async function importAll({ servers }: Request<'importServers'>): Promise<{ ids: number[] }> {
    if (!Array.isArray(servers)) throw invalid(t(($) => $.errors.input.servers));
    requireImporter('Servers');
    if (!rules().ownServers) throw refused('own');
    const inputs = servers.map(requireNamed);
    const ids: number[] = [];
    for (const input of inputs) ids.push(await putServer(db, input));
    await changed();
    return { ids };
  }

  async function exportAll({ withSecrets }: Request<'exportServers'>): Promise<{ text: string }> {
    if (withSecrets !== true) return { text: exportConfig(await db.getAll('servers')) };
    const { servers, secrets } = await serversWithSecrets(db);
    return { text: exportConfig(servers, secrets) };
  }

  return { importAll, exportAll };
}

/** @throws AppError as `requireUnseen`, which says of which server it is: none of them is added then */
function requireNamed(input: ServerInput): ServerInput {
  try {
    return requireUnseen(input);
  } catch (error) {
    const why = toWire(error);
    throw new AppError({
      ...why,
      message: t(($) => $.errors.input.ofServer, { name: String(input.name), why: why.message }),
    });
  }
}

const UNSEEN = { trusted: false, launchAllowed: false };

/** Characters of a server in a file: Chromium takes the square of a line's to lay it out, where directions mix. */
const LONGEST_SERVER = 20_000;

/**
 * A server out of a file: new, switched off and not trusted, and what it would start the user has yet to see.
 * @throws AppError as `requireServer`, and `invalid_input` where it is too long to be shown
 */
export function requireUnseen(input: ServerInput): ServerInput {
  if (JSON.stringify(input).length > LONGEST_SERVER)
    throw invalid(t(($) => $.errors.input.longText, { most: LONGEST_SERVER }));
  const { id: _id, ...server } = requireServer({ ...input, enabled: false, ...UNSEEN });
  return server;
}
