import { useEffect, useState } from 'preact/hooks';
import { type Availability, lookUpModel } from '../../lib/language-model.ts';

/** How far the browser's own model is there, which is asked once; `unavailable` until then. */
export function useBrowserModel(): Availability {
  const [availability, setAvailability] = useState<Availability>('unavailable');
  useEffect(() => {
    // A browser that can't tell has none to offer.
    void lookUpModel().then(
      (found) => setAvailability(found.availability),
      () => undefined,
    );
  }, []);
  return availability;
}
