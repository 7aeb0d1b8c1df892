import type { ComponentType, FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const loads: (() => Promise<unknown>)[] = [];

/**
 * A view that is not needed to read and write: its code comes when it is first shown, at the latest. Until the code is
 * there it shows nothing, which lasts a few milliseconds and only in a page that has just opened (`loadViews`). It mounts
 * as a whole, so that a view that takes the focus takes it then.
 */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): FunctionComponent<Props> {
  let View: ComponentType<Props> | undefined;
  const fill = async (): Promise<void> => void (View ??= await load());
  loads.push(fill);
  return function Lazy(props: Props) {
    const [, setLoaded] = useState(false);
    const isMissing = !View;
    useEffect(() => {
      let mounted = true;
      // Not whether it is missing now: its code may have come after this drew nothing.
      if (isMissing) void fill().then(() => mounted && setLoaded(true));
      return () => void (mounted = false);
    }, []);
    return View ? <View {...props} /> : null;
  };
}

/** Fetches the code of all of them, so that each opens at once. */
export async function loadViews(): Promise<void> {
  await Promise.all(loads.map((load) => load()));
}
