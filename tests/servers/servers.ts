import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../scripts/paths.ts';
import { catalogue, type NpmServer } from './catalogue.ts';
import { tryApps } from './apps.ts';
import { smoke, type Row } from './smoke.ts';
import { isAlike, pageOf, tableOf } from './table.ts';

/**
 * What `npm run servers` does: takes real servers from npm in their newest versions, connects Portside's own client and the
 * official one, and compares what both list and what comes of one call. The table goes to docs/servers.md. `--only pdf`:
 * those whose name has it, and the table is only printed. Exit code 1 when something is otherwise in Portside.
 * `--apps`: has the built extension show the apps of the protocol's examples instead, and prints what they draw.
 */
const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    apps: { type: 'boolean', default: false },
  },
});

const isChosen = ({ name }: NpmServer): boolean =>
  flags.only.length === 0 || flags.only.some((part) => name.includes(part));
const cache = join(root, '.cache/servers');
if (flags.apps) process.exit((await tryApps(catalogue.filter(isChosen), cache)) ? 0 : 1);
const rows: Row[] = [];
for (const server of catalogue.filter(isChosen)) {
  const row = await smoke(server, cache);
  rows.push(row);
  const said = [...(row.differences ?? []), row.note ?? ''].filter(Boolean).map((line) => `\n    ${line}`);
  const verdict = row.counts === undefined ? 'not compared' : isAlike(row) ? 'alike' : 'DIFFERS';
  process.stderr.write(`${verdict}: ${server.name}${said.join('')}\n`);
}
if (flags.only.length === 0) {
  const page = join(root, 'docs/servers.md');
  writeFileSync(page, pageOf(rows, new Date()));
  execFileSync('oxfmt', [page]);
} else process.stdout.write(tableOf(rows));
process.exit(rows.every(isAlike) ? 0 : 1);
