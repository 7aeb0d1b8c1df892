import { useEffect, useState } from 'preact/hooks';
import { toWire } from '../../../lib/errors.ts';
import type { WireError } from '../../../lib/types/error.ts';
import type { Offer } from '../../../lib/types/offer.ts';
import { useSetupState } from '../options-context.ts';

export type Offered = {
  /** null while the server is not connected, or before it was told. */
  offer: Offer | null;
  error: WireError | null;
};

const NOTHING: Offered = { offer: null, error: null };

/** What a server offers besides tools; asked again whenever one of `told` is another value. */
export function useOffer(serverId: number, isConnected: boolean, ...told: [unknown, unknown]): Offered {
  const { command } = useSetupState();
  const [offered, setOffered] = useState(NOTHING);
  useEffect(() => {
    if (!isConnected) return setOffered(NOTHING);
    let isWanted = true;
    command('serverOffer', { serverId }).then(
      (offer) => isWanted && setOffered({ offer, error: null }),
      (failure: unknown) => isWanted && setOffered({ offer: null, error: toWire(failure) }),
    );
    return () => void (isWanted = false);
  }, [serverId, isConnected, ...told]);
  return offered;
}
