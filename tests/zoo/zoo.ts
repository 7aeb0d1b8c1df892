import { parseArgs } from 'node:util';
import { ownTools } from '../../lib/tools/own/own-tools.ts';
import { openChromium, openZooFirefox } from './browsers.ts';
import { groups } from './cases.ts';
import { playAll } from './play-all.ts';
import { tableOf, isEnough } from './table.ts';

/**
 * What `npm run zoo` does: has a scripted model use real widgets through Portside's own tools in the built extension, and
 * asks each page whether it worked, while the user is in the side panel. `--hidden`: in another tab; `--firefox`; `--group selects --group keys`, `--case Leith`: only those whose name has it; `--told`:
 * what the tools said of each case, not only of those that failed. Exit code 1 when too much fails, or one is a false success.
 */
const { values: flags } = parseArgs({
  options: {
    hidden: { type: 'boolean', default: false },
    firefox: { type: 'boolean', default: false },
    group: { type: 'string', multiple: true, default: [''] },
    case: { type: 'string', default: '' },
    told: { type: 'boolean', default: false },
  },
});
const chosen = groups.flatMap(({ group, cases }) => {
  const kept = cases.filter(({ name, needs }) => name.includes(flags.case) && (!needs || needs in ownTools));
  return flags.group.some((part) => group.includes(part)) && kept.length > 0 ? [{ group, cases: kept }] : [];
});
const rows = await playAll(
  chosen,
  flags.firefox ? openZooFirefox : openChromium,
  ({ group, played, verdict, told }) => {
    process.stderr.write(`${verdict.padEnd(15)} ${group}: ${played.name}\n`);
    if (flags.told || verdict === 'failed' || verdict === 'false success')
      process.stderr.write(`${told.join('\n---\n').replaceAll(/^/gm, '    ')}\n`);
  },
  flags.hidden ? 'in another tab' : 'in the panel',
);
process.stdout.write(tableOf(rows));
process.exit(isEnough(rows) ? 0 : 1);
