import { buildNativeHost } from './build-native-host.ts';
import { runNode } from './run.ts';

/** `npm run native-host -- install`: the native host's own commands, from a checkout. */
const { code } = await runNode(await buildNativeHost(), process.argv.slice(2), { show: true });
process.exitCode = code;
