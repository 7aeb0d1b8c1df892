import { soakCommand } from '../../../soak/command.ts';

/** `npm run soak` with a panel in which something goes wrong; tests/e2e/browser/soak.test.ts looks at what comes of it. */
process.exitCode = await soakCommand(process.argv.slice(2), ({ panel }) =>
  panel.evaluate('void setTimeout(() => { throw new Error("wrong on purpose"); })'),
);
