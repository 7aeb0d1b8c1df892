import type { Row } from './smoke.ts';

const HEAD = ['server', 'version', 'transport', 'revision', 'tools', 'other', 'lists', 'call', 'note'];

/** Whether nothing is otherwise in Portside than in the official client, where that could be compared. */
export const isAlike = ({ differences, isSameCall, counts, isOnlyOfficial }: Row): boolean =>
  counts === undefined ? !isOnlyOfficial : differences?.length === 0 && isSameCall === true;

/** In Markdown, a line for each server. */
export function tableOf(rows: Row[]): string {
  const lines = rows.map((row) => {
    const { server, version = '', revision = '', counts, differences, isSameCall, note = '' } = row;
    return [
      server.name,
      version,
      server.path === undefined ? 'stdio' : 'HTTP',
      revision,
      counts?.tools ?? '',
      counts ? counts.prompts + counts.resources + counts.templates : '',
      inWord(differences && differences.length === 0),
      inWord(isSameCall) + (isSameCall && server.call.varies ? ' shape' : ''),
      [...(differences ?? []), note]
        .filter(Boolean)
        .join('; ')
        .replaceAll(/[|<>*_`\\[\]]/g, String.raw`\$&`),
    ];
  });
  const rule = HEAD.map((name) => (name === 'tools' || name === 'other' ? '---:' : '---'));
  return [HEAD, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

const inWord = (value: boolean | undefined): string =>
  value === undefined ? '' : value ? 'same' : '**other**';

/** docs/servers.md. */
export function pageOf(rows: Row[], date: Date): string {
  const compared = rows.filter(({ counts }) => counts);
  const alike = compared.filter(isAlike);
  return `# Real servers

\`npm run servers\` takes servers from npm in their newest versions and connects two clients to each: Portside's own, which
starts programs through the native host, and the official one of the TypeScript SDK. It compares what both list (tools,
prompts, resources and templates, with names, titles, descriptions, schemas and hints) and what comes of one harmless call.
The servers, their arguments and calls stand in tests/servers/catalogue.ts. \`-- --only pdf\` tries those whose name has it.
It is no part of \`npm test\`: versions change, and downloads take their time.

On ${date.toISOString().slice(0, 10)} ${compared.length} of ${rows.length} could be compared, and ${alike.length} of them were the same in both. Keys of services are made
up, and nothing but npm could be reached: what a call is refused is compared, too. "Other" counts prompts, resources and
templates.

${tableOf(rows)}`;
}
