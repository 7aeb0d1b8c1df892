import type { Page } from 'playwright-core';

/** What Chrome traces, as far as it is read here; `tdur` in microseconds of CPU. */
type TraceEvent = { name: string; pid: number; tid: number; tdur?: number; args: { name?: string } };

/**
 * The longest task of a page's main thread during `work`, in milliseconds of CPU: what else the computer does is not in
 * it, as it is in what a `PerformanceObserver` tells. The pages of an extension share one thread; only this one works.
 */
export async function longestTask(page: Page, work: () => Promise<unknown>): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
  await session.send('Tracing.start', { traceConfig: { includedCategories: ['toplevel', '__metadata'] } });
  await work();
  await session.send('Tracing.end');
  await complete;
  await session.detach();
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid}:${tid}`;
  const named = events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain');
  const mains = new Set(named.map(threadOf));
  const tasks = events.filter((event) => event.tdur !== undefined && mains.has(threadOf(event)));
  const spent = tasks.map(({ tdur = 0 }) => tdur / 1000);
  return spent.length > 0 ? spent.reduce((one, other) => Math.max(one, other)) : Number.NaN;
}
