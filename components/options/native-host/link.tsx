import type { JSX } from 'preact';
import type { WireError } from '../../../lib/types/error.ts';

import { t } from '../../../locales/texts/settings.ts';

/** The button that connects a server anew; where the browser has to allow it first, pressing it asks for that. */
export const reconnectWords = (error: WireError | undefined): string =>
  error?.code === 'native_host_not_allowed'
    ? t(($) => $.nativeHostPage.allow)
    : t(($) => $.servers.reconnect);

/** The way to the page of the native host, where that is what is wrong. */
export function NativeHostLink(props: { error: WireError; class?: string }): JSX.Element | null {
  if (!/^native_host_(missing|outdated)$/.test(props.error.code)) return null;
  return (
    <p class={props.class}>
      <a class="btn s" href="#native-host">
        {props.error.code === 'native_host_missing'
          ? t(($) => $.nativeHostPage.install)
          : t(($) => $.nativeHostPage.update)}
      </a>
    </p>
  );
}
