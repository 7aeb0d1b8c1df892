import { ExternalLink } from 'lucide';
import type { JSX } from 'preact';
import { askedUrl } from '../../../lib/state/trust/address-warnings.ts';
import type { ServerRequest } from '../../../lib/types/request.ts';
import { useRequesting } from '../../request-context.ts';
import { Icon } from '../../ui/icon.tsx';
import { RequestFrame } from './request-frame.tsx';
import { useGuard } from '../use-guard.ts';
import { AskedAddress } from './asked-address.tsx';
import { t } from '../../../locales/texts/panel.ts';

/** A page that a server wants the user to visit. The worker opens it, in a tab that no model sees. */
export function UrlRequest({ request }: { request: ServerRequest & { kind: 'url' } }): JSX.Element {
  const { answerRequest } = useRequesting();
  const { root, guarded } = useGuard();
  const { id, url, isOpened } = request;
  const asked = askedUrl(url);
  const { host, opens } = asked;
  const accept = (isDone?: true): void =>
    void guarded(() => answerRequest(id, { action: 'accept', ...(isDone && { isDone }) }));
  const note = isOpened ? t(($) => $.request.finish) : t(($) => $.request.leaves);
  return (
    <RequestFrame
      request={request}
      message={request.message}
      answer={(action) => answerRequest(id, { action })}
      accept={
        opens && (
          <>
            {isOpened && (
              <button type="button" class="btn primary" onClick={() => accept(true)}>
                {t(($) => $.notice.continue)}
              </button>
            )}
            <button
              type="button"
              class={isOpened ? 'btn open-page' : 'btn primary open-page'}
              onClick={() => accept()}
            >
              <span>{t(($) => $.request.open, { host })}</span>
              <Icon of={ExternalLink} small />
            </button>
          </>
        )
      }
      note={opens ? note : t(($) => $.request.cantOpen)}
    >
      <div class="visit" ref={root}>
        <AskedAddress url={url} asked={asked} />
      </div>
    </RequestFrame>
  );
}
