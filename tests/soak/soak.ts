import { soakCommand } from './command.ts';

process.exitCode = await soakCommand(process.argv.slice(2));
