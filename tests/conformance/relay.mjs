/**
 * The client that the suites start, once for each scenario: it hands the scenario on to the process that has Portside
 * at hand (host.ts) and ends as that one says.
 */
import process from 'node:process';

const [url] = process.argv.slice(2);
const scenario = {
  name: process.env['MCP_CONFORMANCE_SCENARIO'],
  url,
  context: JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}'),
};
const answer = await fetch(process.env['PORTSIDE_CONFORMANCE_HOST'] ?? '', {
  method: 'POST',
  body: JSON.stringify(scenario),
});
if (!answer.ok) process.stderr.write(`${await answer.text()}\n`);
process.exitCode = answer.ok ? 0 : 1;
