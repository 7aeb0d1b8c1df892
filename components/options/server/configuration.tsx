import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { visible } from '../../../lib/state/shown-text.ts';
import type { ServerInfo } from '../../../lib/types/offer.ts';
import type { Server } from '../../../lib/types/server.ts';
import { LongText } from '../../ui/long-text.tsx';
import { ServerForm } from '../servers/form.tsx';
import { SignedIn } from './sign-in.tsx';
import { t } from '../../../locales/texts/settings.ts';

/** A server's settings, who is signed in there, and what it says of itself. */
export function Configuration({ server, info }: { server: Server; info: ServerInfo | null }): JSX.Element {
  const signedIn = server.transport !== 'stdio' && server.signedIn;
  return (
    <div class="configuration">
      <fieldset class="locked" disabled={server.managed !== undefined}>
        <ServerForm server={server} />
      </fieldset>
      {signedIn && <SignedIn server={{ ...server, signedIn }} />}
      {info?.instructions !== undefined && info.instructions.trim() !== '' && (
        <Instructions text={info.instructions} isKept={server.withoutInstructions === true} />
      )}
      {info && <About info={info} />}
    </div>
  );
}

/** What the server wants models to know of it, as it said so. */
function Instructions({ text, isKept }: { text: string; isKept: boolean }): JSX.Element {
  const id = useId();
  return (
    <section class="block" aria-labelledby={id}>
      <h2 id={id}>{t(($) => $.serverPage.instructions)}</h2>
      <p class="help">
        {isKept ? t(($) => $.serverPage.instructionsKept) : t(($) => $.serverPage.instructionsSent)}
      </p>
      <p class="said plain" tabIndex={0} role="group" aria-labelledby={id}>
        <LongText text={visible(text)} />
      </p>
    </section>
  );
}

/** The server's own words on itself. Its website is named, not linked: the address is the server's. */
function About({ info }: { info: ServerInfo }): JSX.Element {
  const id = useId();
  const { name, title, version, websiteUrl } = info;

  const host = websiteUrl === undefined ? '' : (URL.parse(websiteUrl)?.host ?? '');
  return (
    <section class="block" aria-labelledby={id}>
      <h2 id={id}>{t(($) => $.serverPage.about)}</h2>
      <dl class="facts">
        <dt>{t(($) => $.serverPage.aboutFields.name)}</dt>
        <dd>
          {visible(title ?? name)} {title !== undefined && title !== name && <code>{visible(name)}</code>}
        </dd>
        <dt>{t(($) => $.serverPage.aboutFields.version)}</dt>
        <dd>{visible(version)}</dd>
        {websiteUrl !== undefined && (
          <>
            <dt>{t(($) => $.serverPage.aboutFields.website)}</dt>
            <dd>
              {host !== '' && <strong>{visible(host)}</strong>}{' '}
              <span class="subtle">{visible(websiteUrl)}</span>
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}
