/**
 * Tells what happens to those who depend on it, so that what happens first need not know of them.
 * `Events`: what is told with each event, by its name.
 */
export function createEvents<Events extends Record<keyof Events, unknown[]>>() {
  const listeners = new Map<keyof Events, ((...told: unknown[]) => unknown)[]>();
  return {
    on<Name extends keyof Events>(name: Name, listener: (...told: Events[Name]) => unknown): void {
      listeners.set(name, [...(listeners.get(name) ?? []), listener as (...told: unknown[]) => unknown]);
    },
    /** Listeners are called at once, in their order. Resolves when all have dealt with it; rejects when one fails. */
    async emit<Name extends keyof Events>(name: Name, ...told: Events[Name]): Promise<void> {
      await Promise.all((listeners.get(name) ?? []).map((listener) => listener(...told)));
    },
  };
}
