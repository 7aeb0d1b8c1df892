import type { ComponentType, FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';

let fetchViews: (() => Promise<PanelViews>) | undefined;
let views: PanelViews | undefined;

/** Says where the code of the views is: a page does so at its start, since the views themselves have views that come late. */
export function viewsFrom(load: () => Promise<PanelViews>): void {
  fetchViews = load;
}

/** Fetches the code of all of them, so that each opens at once. */
export async function loadViews(): Promise<void> {
  views ??= await fetchViews?.();
}

/**
 * A view that is not needed to read and write: its code comes when the first of them is shown, at the latest. Until the code
 * is there it shows nothing, which lasts a few milliseconds and only in a page that has just opened. It mounts as a whole, so
 * that a view that takes the focus takes it then.
 */
export function lazy<Props extends object>(
  pick: (views: PanelViews) => ComponentType<Props>,
): FunctionComponent<Props> {
  return function Lazy(props: Props) {
    const [, setLoaded] = useState(false);
    const isMissing = !views;
    useEffect(() => {
      let mounted = true;
      // Not whether it is missing now: its code may have come after this drew nothing.
      if (isMissing) void loadViews().then(() => mounted && setLoaded(true));
      return () => void (mounted = false);
    }, []);
    const View = views && pick(views);
    return View ? <View {...props} /> : null;
  };
}
