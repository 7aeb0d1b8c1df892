import { expect, it } from 'vitest';
import { createNativeTransport } from '../../lib/mcp/transport/native-transport.ts';
import type { ProgramEvents } from '../../lib/mcp/transport/program-messages.ts';
import type { Exit } from '../../lib/types/native-host.ts';

const key = ['-----BEGIN KEY-----', 'c2VjcmV0IHNlY3JldA==', 'dGhlIGVuZA==', '-----END KEY-----'];
const env = { TOKEN: 'hush-hush-hush', KEY: key.join('\n'), LEVEL: 'a\nb' };

/** A program with that environment, which prints these lines and ends. */
async function printing(lines: string[]) {
  const logged: unknown[] = [];
  let on: ProgramEvents | undefined;
  const native = {
    about: () => Promise.reject(new Error('Not requested.')),
    ask: () => Promise.reject(new Error('Not requested.')),
    start: async (_launch: unknown, _idle: unknown, events: ProgramEvents) => {
      on = events;
      return { send: () => undefined, stop: () => undefined };
    },
  };
  const config = {
    id: 1,
    name: 'Local',
    transport: 'stdio',
    toolTimeout: 1000,
    launch: { command: 'npx', args: [], env },
    secrets: () => ['of-an-argument'],
  } as const;
  const transport = createNativeTransport({ ...config, launch: { ...config.launch, args: [] } }, native, {
    logged: (_, data) => void logged.push(data),
  });
  await transport.start();
  on?.stderr(lines);
  on?.exit({ type: 'ended', code: 1, signal: null, stderr: lines } satisfies Exit);
  return { logged, cause: transport.fault()?.detail };
}

it('stderr is logged without the program’s environment, even a value of several lines', async () => {
  const { logged, cause } = await printing(['abba', ...key, 'token hush-hush-hush']);
  expect(logged).toEqual(['abba', '•••', '•••', '•••', '•••', 'token •••']);
  expect(cause).toBe(logged.join('\n'));
});

it('stderr is logged without the secrets in its arguments', async () => {
  const { logged, cause } = await printing(['started with --key=of-an-argument']);
  expect([logged, cause]).toEqual([['started with --key=•••'], 'started with --key=•••']);
});

it('a cut line is logged without its end, which may be the beginning of a secret', async () => {
  const cut = `${'x'.repeat(991)}hush-hush`;
  const whole = 'y'.repeat(999);
  const { logged, cause } = await printing([cut, whole]);
  expect(logged[0]).toMatch(/^x{900,}…$/);
  expect(logged[1]).toBe(whole);
  expect(cause).not.toContain('hush');
});

it.each([0, 1, 2, 3])(
  'a cut line that holds the secret %i times is logged without its end, too',
  async (times) => {
    const line = `${'token hush-hush-hush '.repeat(times)}${'x'.repeat(1000)}`.slice(0, 986);
    const { cause } = await printing([`${line} hush-hush-hus`]);
    expect(cause).not.toMatch(/hush|aHVz/);
  },
);
