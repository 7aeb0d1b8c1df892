import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createGgufModels } from '../../lib/models/gguf/answer.ts';
import { startRuntime } from '../../lib/models/gguf/runtime.ts';

vi.mock('../../lib/gguf/store.ts', () => ({
  storedModels: () => Promise.resolve([{ id: 'tiny', sha256: 'a', context: 4096 }]),
  weightsOf: () => Promise.resolve([]),
}));
vi.mock('../../lib/models/gguf/runtime.ts', () => ({ startRuntime: vi.fn() }));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new Promise<never>(() => undefined);

async function* answers() {
  yield { choices: [] };
}

/** What is asked of the model, as a list once it is over. */
async function ask(models: ReturnType<typeof createGgufModels>, signal: AbortSignal): Promise<unknown[]> {
  const told: unknown[] = [];
  const asked = { type: 'chat', body: { model: 'tiny', messages: [] } } as const;
  for await (const each of models.answer(asked, signal)) told.push(each);
  return told;
}

it.each([
  ['while it loads', () => never],
  ['while it answers', () => Promise.resolve({ createChatCompletion: () => never })],
])('a model that does not stop %s is ended, and loaded anew for the next question', async (_when, model) => {
  const end = vi.fn();
  vi.mocked(startRuntime)
    .mockReset()
    .mockReturnValueOnce({ model: model() as never, end })
    .mockReturnValueOnce({
      model: Promise.resolve({ createChatCompletion: () => Promise.resolve(answers()) }) as never,
      end: () => {},
    });
  const models = createGgufModels(() => {});
  const stopping = new AbortController();
  const asked = ask(models, stopping.signal).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(end).not.toHaveBeenCalled();
  stopping.abort(new Error('Stop'));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await asked).toEqual(new Error('Stop'));
  expect(end).toHaveBeenCalledOnce();
  expect(await ask(models, new AbortController().signal)).toEqual([
    { type: 'chunk', chunk: { choices: [] } },
  ]);
});
