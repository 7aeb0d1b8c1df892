import 'fake-indexeddb/auto';
import { expect, it, vi } from 'vitest';
import type { ModelEvent } from '../../lib/types/model.ts';
import { aborted, failed, scriptedModel } from '../fakes/scripted-model.ts';
import { runEvent, send, startWorker } from '../fakes/worker.ts';
import { freshDatabase } from './scene.ts';

const long = 'x'.repeat(1_000_000);

it.each<ModelEvent>([
  { type: 'text', text: long },
  { type: 'reasoning', text: long },
  { type: 'call', position: 0, name: 'mcp__1__note', arguments: long },
])('a long answer is written down less often, be it long by its $type', async (event) => {
  const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation(() => 0 as never);
  const { runs, until } = startWorker({
    db: await freshDatabase(),
    model: scriptedModel(async function* stream(_request, signal) {
      yield event;
      await aborted(signal);
      yield failed('cancelled', 'Stopped.');
    }).model,
  });
  const delays = () => timers.mock.calls.map(([, delay]) => delay);
  await send(runs, 'Go');
  await until(runEvent(`${event.type}_delta`));
  expect(delays()).toContain(5500);
  timers.mockRestore();
  await runs.stop({ conversationId: 'c1' });
});
