import { expect, it } from 'vitest';
import { lexBlocks, lexInline } from '../components/markdown/lexer.ts';
import { mend } from '../components/markdown/mend.ts';
import { readOpenAiChat } from '../entrypoints/background/data/openai-import.ts';
import { createFence } from '../lib/agent/context/fence.ts';
import { titleFrom } from '../lib/agent/title.ts';
import { openInArguments } from '../lib/config-file/blank-secrets.ts';
import { skillOf } from '../lib/files/skill-folder.ts';
import { thinkingIn } from '../lib/import/fields.ts';
import { type Piece, stepsOf } from '../lib/import/told-chat.ts';
import { oneLine } from '../lib/mcp/failures/one-line.ts';
import { answer } from '../lib/models/demo/answer.ts';
import { BAD_IMAGE, WINDOW } from '../lib/models/refusals/refusal-patterns.ts';
import { readFinish } from '../lib/models/reply/finish.ts';
import { toolSchema } from '../lib/models/request/schema.ts';
import { ownCallsIn } from '../lib/models/reply/leaked-calls.ts';
import { webOriginsIn } from '../lib/origins.ts';
import { renamedIn } from '../lib/runs/commands/fork.ts';
import { promptVariables } from '../lib/state/composer/saved-prompts.ts';
import { templateArguments } from '../lib/uri-template.ts';
import { stepsOf as stepsOfCalls } from '../lib/state/chat/steps.ts';
import { nextSpoken } from '../lib/state/speech.ts';
import { givenAgain } from '../lib/storage/configuration/grants.ts';
import { describeViolations } from '../lib/tools/violations.ts';
import { quotesIn } from '../lib/trust/quotes.ts';
import { isForChat } from '../lib/trust/tool-permission.ts';
import { withoutControlTokens } from '../lib/control-tokens.ts';
import { addressWith } from '../lib/types/answers.ts';
import type { ToolCall } from '../lib/types/tools/tool-call.ts';
import { OWN_TOOLS } from '../lib/types/tools/tool-source.ts';

/** So many of a piece as have this length together, in characters. */
const many = (piece: string, length: number): string => piece.repeat(length / piece.length);

it.each<[string, (length: number) => unknown]>([
  ['a result with a tag that never comes', (l) => createFence('4f9a2c1b').wrap(`<${many(' ', l)}.`)],
  ['an answer of empty lines before a call', (l) => ownCallsIn(many('\n', l), '')('x')],
  ['code that goes on', (l) => mend(`${many('`', l)}.`)],
  ...[
    'https:',
    'https://a.',
    'https://@',
    'https://[',
    'https://a/http',
    '.:',
    '=',
    '\\',
    '~.a',
    ' //a.',
    '=//a.',
    'to=https://a.b/?',
    '%25',
    '%252F',
    '&#x2F;',
    '?a.',
    '?https:x',
    'git://',
  ].map((piece): [string, (length: number) => unknown] => [
    `what may be an address: ${piece}`,
    (l) => webOriginsIn(`https://${many(piece, l)}`),
  ]),
  ['what may be a host: \\', (l) => webOriginsIn(`https:x?=${many('\\', l)}`)],
  ['what may be a host: &\\a', (l) => webOriginsIn(`https:x${many('&\\\\a', l)}`)],
  ...['a.', 'a。', 'a.b。', '0x', '1.', '\u200B', 'localhost'].map(
    (piece): [string, (length: number) => unknown] => [
      `what may be a host: ${piece}`,
      (l) => webOriginsIn({ host: many(piece, l) }),
    ],
  ),
  ...[['hosts', webOriginsIn] as const, ['quotes', (args: unknown) => quotesIn(args, [], '')] as const].map(
    ([what, find]): [string, (length: number) => unknown] => [
      `arguments with lists in lists: ${what}`,
      (l) => {
        let args: unknown = Array<string>(l).fill('');
        for (let depth = 0; depth < l / 50; depth += 1) args = [args];
        return find(args);
      },
    ],
  ),
  [
    'the parameters of an address that a call opened',
    (l) => {
      const url = `https://a.test/?${Array.from({ length: l / 2 }, (_, at) => `a=${at}`).join('&')}`;
      const call = { toolName: 'navigate', serverId: OWN_TOOLS, status: 'success' };
      return stepsOfCalls([{ ...call, arguments: JSON.stringify({ url }) } as ToolCall]);
    },
  ],
  ['half pictures', (l) => mend(`${many('![', l)} `)],
  ['half notes', (l) => mend(`${many('[^', l)} `)],
  ['half links', (l) => mend(`${many('[](', l)} `)],
  ['a definition with blanks', (l) => [...lexBlocks(`[a]:${many(' ', l)}`)]],
  [
    'a table of empty cells',
    (l) => lexBlocks(`${many('|a', l / 2)}|\n${many('|-', l / 2)}|\n${many('a\n', l)}`),
  ],
  ...['a_', '!', '\\ '].map((piece): [string, (length: number) => unknown] => [
    `a heading, or a cell: ${piece}`,
    (l) => lexInline(many(piece, l)),
  ]),
  ...['a ', 'a'].map((piece): [string, (length: number) => unknown] => [
    `arguments of many parts: “${piece}”`,
    (l) =>
      quotesIn(
        { all: Array<string>(l).fill(piece) },
        [{ from: 'a page', text: many('0123456789', 100) }],
        '',
      ),
  ]),
  [
    'a schema of references',
    (l) => {
      const last = l / 20;
      const chain = Array.from({ length: last }, (_, at) => [`r${at}`, { $ref: `#/$defs/r${at + 1}` }]);
      const own = Array.from({ length: 50 }, (_, at) => [`p${at}`, { $ref: '#/$defs/r0' }]);
      const [properties, $defs] = [own, chain].map((entries) => Object.fromEntries(entries) as object);
      return toolSchema({ type: 'object', properties, $defs }, 'gemini');
    },
  ],
  ['code as a call’s quotation', (l) => ownCallsIn(many('\r', l), '')('x')],
  ...['<', ' '].map((piece): [string, (length: number) => unknown] => [
    `a title: ${piece}`,
    (l) => titleFrom(`a${many(piece, l)}b`),
  ]),
  ...['?', 'a+', '-'].map((piece): [string, (length: number) => unknown] => [
    `an argument with secrets: ${piece}`,
    (l) => openInArguments([many(piece, l)], () => ''),
  ]),
  ...['[{', '<html><title', '<html><'].map((piece): [string, (length: number) => unknown] => [
    `an error of a server: ${piece}`,
    (l) => oneLine(many(piece, l)),
  ]),
  ['what is wrong with a picture', (l) => BAD_IMAGE.test(many('load', l))],
  ['text that may be control tokens', (l) => withoutControlTokens(many('<a|[|a]~', l))],
  ['how long a request may be', (l) => WINDOW.map((window) => window.exec(many('1', l)))],
  ...['1+', ' ', '“', '<external-a>\n', '</external-'].map((piece): [string, (length: number) => unknown] => [
    `a question to the demo model: ${piece}`,
    (l) => answer([{ role: 'user', content: `Add ${many(piece, l)}.` }], []),
  ]),
  ['thoughts of an imported answer', (l) => thinkingIn(many('<think>a</think>b', 20 * l))],
  [
    'results of an imported answer that name no call',
    (l) => {
      const call: Piece = { type: 'call', name: 'a', arguments: '{}' };
      const result: Piece = { type: 'result', callId: '', result: { text: '' } };
      return stepsOf([...Array.from({ length: l }, () => call), ...Array.from({ length: l }, () => result)]);
    },
  ],
  [
    'the calls that a branch’s texts name',
    (l) => {
      const ids = Array.from({ length: l / 10 }, (_, at) => `m${at}.0`);
      return renamedIn(`${ids.join(' ')}${many('a.', 10 * l)}`, new Map(ids.map((id) => [id, `n${id}`])));
    },
  ],
  ['why an answer ended', (l) => readFinish(many('max_', l))],
  [
    'what a skill says of itself',
    (l) => skillOf([{ path: 'SKILL.md', text: `---\nname: a\ndescription: b\n${many(' a\n', 9 * l)}---\n` }]),
  ],
  ['what a prompt asks for', (l) => promptVariables(`{{${many(' ', l)}`)],
  ['what a template asks for', (l) => templateArguments(many('{#', l))],
  [
    'what is missing',
    (l) => {
      const error = many('required property "', l);
      const unit = { keyword: 'required', keywordLocation: '#/required', instanceLocation: '#', error };
      return describeViolations([unit], {}, {}, {});
    },
  ],
  [
    'where an answer stands',
    (l) => addressWith(`https://a.test/${many('?', l)}=\${input:a}`, { 'input:a': 'x' }),
  ],
  [
    'for which hosts calls were allowed',
    (l) => {
      const origins = Array.from({ length: l }, (_, at) => `https://${at}.test`);
      const given = givenAgain({ at: '', origins }, { at: '', origins });
      const call = { fingerprint: 'f', createdAt: '', origins };
      return isForChat({ ...call, grant: { fingerprint: 'f', given: { ...given, used: 0 } } });
    },
  ],
  ['a line that may be a table', (l) => nextSpoken(`a | b\n---|---${many(' ', l)}.\n`, 0, true)],
])('takes time that grows with the text alone to read %s', (_what, read) => {
  // Four times as long where it grows with the length; with its square it were sixteen times as long.
  expect(timeOf(() => read(40_000))).toBeLessThan(
    8 *
      Math.max(
        timeOf(() => read(10_000)),
        LEAST_MS,
      ),
  );
});

it('takes no longer to read a line that may begin a formula than one with a heading', () => {
  const lines = (line: string) => timeOf(() => lexBlocks(many(line, 40_000)));
  expect(lines('$$\n')).toBeLessThan(8 * Math.max(lines('# \n'), LEAST_MS));
});

it('takes time that grows with their number alone to read a file’s calls', async () => {
  const read = async (number: number): Promise<number> => {
    const calls = [{ id: 'x', type: 'function', function: { name: 'a', arguments: '{}' } }];
    const asked = { role: 'assistant', content: null, tool_calls: calls };
    const step = [asked, { role: 'tool', tool_call_id: 'x', content: '' }];
    const messages = Array.from({ length: number }, () => step).flat();
    const before = process.threadCpuUsage();
    await readOpenAiChat({ messages }, new Date(0).toISOString());
    return sinceOf(before);
  };
  const few = await read(10_000);
  expect(await read(40_000)).toBeLessThan(8 * Math.max(few, LEAST_MS));
});

/** What is faster says nothing: it may be the collection of garbage. */
const LEAST_MS = 25;

/** Of the processor, in milliseconds, however busy the machine is. */
function timeOf(job: () => unknown): number {
  const before = process.threadCpuUsage();
  job();
  return sinceOf(before);
}

function sinceOf(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
