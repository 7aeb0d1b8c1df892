/** What a page has a server fetch and may give up, by the page's id for it. */
export function createFetches() {
  const running = new Map<string, AbortController>();

  /** @param fetch is to end when its signal is aborted, and to write nothing then */
  async function during<T>(
    fetchId: string | undefined,
    fetch: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const controller = new AbortController();
    if (fetchId === undefined) return fetch(controller.signal);
    running.set(fetchId, controller);
    try {
      return await fetch(controller.signal);
    } finally {
      running.delete(fetchId);
    }
  }

  /** What has ended is left as it is. */
  function cancel({ fetchId }: { fetchId: string }): void {
    running.get(fetchId)?.abort();
  }

  return { during, cancel };
}
