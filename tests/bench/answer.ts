/** The last word of an answer. */
export const LAST_WORD = 'Harbour.';

/** An answer as models write them (headings, lists, tables, code), of exactly so many tokens. */
export function answerTokens(count: number): string[] {
  const tokens: string[] = [];
  for (let section = 1; tokens.length < count; section++) tokens.push(...tokensOf(sectionText(section)));
  return [...tokens.slice(0, Math.max(0, count - 2)), '\n\n', LAST_WORD].slice(-count);
}

/** Pieces of about four characters, a space in front of what follows one. */
const tokensOf = (text: string): string[] => text.match(/\s*\S{1,5}|\s+$/g) ?? [];

const sectionText = (number: number): string => `## Part ${number}: how the session ends

A client has to begin a **new session** when the server answers with \`404\`; the one it had is *gone*. What was
listed before may differ, so everything is asked for again, see [the rule](https://example.com/rules/${number}).

1. Forget the session’s id and what was negotiated.
2. Connect again, with the version that was agreed on:
   - the same transport,
   - the same headers.
3. List the tools, and compare them with what the user saw.

| Client | Issue | State | Since |
|:-------|------:|:-----:|-------|
| TypeScript | #${1700 + number} | open | 14 Nov |
| Python | #${3500 + number} | open | 2 Oct |
| Rust | #${700 + number} | closed | 30 Sep |

\`\`\`ts
export async function renew(client: Client, number = ${number}): Promise<void> {
  // What was there is not asked for twice.
  const { sessionId, tools } = await client.connect({ again: true });
  for (const tool of tools) console.log(sessionId, tool.name);
}
\`\`\`

> Only what is read-only is repeated by itself.

`;
