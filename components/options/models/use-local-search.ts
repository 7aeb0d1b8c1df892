import { useState } from 'preact/hooks';
import { requestOrigins } from '../../../lib/gestures.ts';
import type { LocalServer } from '../../../lib/types/model.ts';
import { useSetupState } from '../options-context.ts';
import { useAction } from '../form/use-action.ts';

/** Where model servers listen on the user's own computer. */
const HERE = 'http://127.0.0.1/';

/** The search for model servers on this computer, made only when the user asks for it. */
export function useLocalSearch() {
  const { command } = useSetupState();
  const action = useAction();
  const [refused, setRefused] = useState(false);
  const [servers, setServers] = useState<LocalServer[] | null>(null);
  const look = (): void => {
    if (action.busy) return;
    // First of all, while the click still counts.
    const granting = requestOrigins([HERE]);
    setRefused(false);
    action.run(async () => {
      if (await granting) setServers(await command('findLocalServers'));
      else setRefused(true);
    });
  };
  return {
    busy: action.busy,
    error: action.error,
    /** The browser was not allowed to look. */
    refused,
    /** null before the first search. */
    servers,
    /** Looks, after asking the browser: call it in a click. */
    look,
    /** True when the last look found a server at this address. */
    isFound: (baseUrl: string): boolean =>
      servers?.some((server) => server.state === 'found' && sameAddress(server.baseUrl, baseUrl)) ?? false,
  };
}

export type LocalSearch = ReturnType<typeof useLocalSearch>;

/** True when two base addresses lead to the same server, whichever way this computer is called. */
export function sameAddress(one: string, other: string): boolean {
  const plain = (url: string): string =>
    // oxlint-disable-next-line portside/linear-regex -- an address that the user gave
    url.replace(/\/+$/, '').replace(/^http:\/\/(localhost|\[::1\])(?=[:/]|$)/, 'http://127.0.0.1');
  return plain(one) === plain(other);
}
