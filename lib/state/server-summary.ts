import type { Setup } from '../protocol/setup.ts';

/** `Servers: n connected, m error`, counted over the enabled ones; `state` is the worst lamp. */
export function serverSummary(setup: Setup | null): {
  connected: number;
  failed: number;
  state: 'connected' | 'connecting' | 'error' | null;
} {
  const states = (setup?.servers ?? [])
    .filter((server) => server.enabled)
    .map((server) => setup?.statuses[server.id]?.state);
  const count = (state: string): number => states.filter((other) => other === state).length;
  const [connected, failed, connecting] = [count('connected'), count('error'), count('connecting')];
  const state = failed ? 'error' : connecting ? 'connecting' : connected ? 'connected' : null;
  return { connected, failed, state };
}
