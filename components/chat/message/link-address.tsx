import type { JSX, RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import './link-address.css';

type Address = { host: string; rest: string; atTop: boolean };

/** Room for it beneath a link. */
const ROOM_PX = 32;

/**
 * Where a link leads, at the edge of the log, while the pointer is over it or the focus in it: what browsers show for
 * pages, but not for panels. For eyes only: the link's name says it too.
 */
export function LinkAddress({ log }: { log: RefObject<HTMLElement | null> }): JSX.Element | null {
  const [address, setAddress] = useState<Address | null>(null);
  useEffect(() => {
    const view = log.current;
    const showAddress = ({ type, target }: Event): void => {
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>('.prose a') : null;
      setAddress(
        link && view && type !== 'focusout' && type !== 'pointerleave' ? addressOf(link, view) : null,
      );
    };
    const events = ['pointerover', 'pointerleave', 'focusin', 'focusout'];
    for (const event of events) view?.addEventListener(event, showAddress);
    return () => {
      for (const event of events) view?.removeEventListener(event, showAddress);
    };
  }, []);
  if (!address) return null;
  return (
    <p class={address.atTop ? 'link-address top' : 'link-address'} dir="ltr" aria-hidden="true">
      <b>{address.host}</b>
      <span class="cut">{address.rest}</span>
    </p>
  );
}

/** At the lower edge, unless the link is there. */
function addressOf(link: HTMLAnchorElement, view: HTMLElement): Address {
  const { host, pathname, search, hash } = link;
  const atTop = link.getBoundingClientRect().bottom > view.getBoundingClientRect().bottom - ROOM_PX;
  return host === '' ? { host: pathname, rest: '', atTop } : { host, rest: pathname + search + hash, atTop };
}
