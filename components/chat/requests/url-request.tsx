import { ExternalLink, TriangleAlert } from 'lucide';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { askedUrl } from '../../../lib/state/chat/asked-url.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import type { ServerRequest } from '../../../lib/types/request.ts';
import { useRequesting } from '../../request-context.ts';
import { Icon } from '../../ui/icon.tsx';
import { RequestFrame } from './request-frame.tsx';
import { useGuard } from '../use-guard.ts';
import { t } from '../../../locales/texts/panel.ts';

/** A page that a server wants the user to visit. The host stands out, since it says whom one goes to. */
export function UrlRequest({ request }: { request: ServerRequest & { kind: 'url' } }): JSX.Element {
  const { answerRequest } = useRequesting();
  const root = useRef<HTMLDivElement>(null);
  const guarded = useGuard(root);
  const { id, url } = request;
  const { host, opens, warnings } = askedUrl(url);
  const onOpen = (event: MouseEvent): void => {
    let taken = false;
    void guarded(() => {
      taken = true;
      return answerRequest(id, { action: 'accept' });
    });
    if (!taken) event.preventDefault();
  };
  return (
    <RequestFrame
      request={request}
      message={request.message}
      answer={(action) => answerRequest(id, { action })}
      accept={
        opens && (
          <a
            class="btn primary open-page"
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            onClick={onOpen}
            onAuxClick={(event) => event.button === 1 && onOpen(event)}
          >
            <span>{t(($) => $.request.open, { host })}</span>
            <Icon of={ExternalLink} small />
          </a>
        )
      }
      note={opens ? t(($) => $.request.leaves) : t(($) => $.request.cantOpen)}
    >
      <div class="visit" ref={root}>
        {host !== '' && <p class="visit-host">{host}</p>}
        <p class="visit-url mono" aria-label={t(($) => $.request.address)}>
          {visible(url)}
        </p>
        {warnings.map((warning) => (
          <p class="visit-warning small" key={warning}>
            <Icon of={TriangleAlert} small />
            <span>{t(($) => $.request.warnings[warning])}</span>
          </p>
        ))}
      </div>
    </RequestFrame>
  );
}
