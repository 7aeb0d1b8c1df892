import { KeyRound, ShieldCheck } from 'lucide';
import type { JSX } from 'preact';
import { urlOf } from '../../../lib/state/setup.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import type { RemoteServer, Server, ServerStatus } from '../../../lib/types/setup.ts';
import { en } from '../../../locales/en.ts';
import { Icon } from '../../ui/icon.tsx';
import { Problem } from '../problem.tsx';
import { useSignIn } from '../servers/use-sign-in.ts';
import { WorkButton } from '../work-button.tsx';

const hostOf = (address: string): string => visible(urlOf(address)?.host ?? address);
const scopesOf = (scope: string): string[] => visible(scope).trim().split(/\s+/);

/** That the server wants the person to sign in, and the button for it. */
export function SignInNotice({ server, status }: { server: Server; status: ServerStatus }): JSX.Element {
  const { busy, error, needs, start, allow } = useSignIn(server.id);
  const hosts = needs?.map(hostOf).join(', ');
  return (
    <>
      <div class="notice block sign-in">
        <Icon of={KeyRound} />
        <div class="grow">
          <p>
            <strong>{en.serverSignIn.needed(visible(server.name))}</strong>{' '}
            {status.scope !== undefined && en.serverSignIn.more(scopesOf(status.scope).join(', '))}
          </p>
          <p class="small muted wrap" role="status">
            {hosts === undefined ? en.serverSignIn.lead : en.serverSignIn.reaches(hosts)}
          </p>
        </div>
        <WorkButton class="primary" busy={busy} press={hosts === undefined ? start : allow}>
          <span class="wrap">
            {hosts === undefined ? en.serverSignIn.signIn : en.serverSignIn.allow(hosts)}
          </span>
        </WorkButton>
      </div>
      {error && <Problem error={error} />}
    </>
  );
}

/** With whom the person is signed in, and the way out. */
export function SignedIn(props: {
  server: RemoteServer & Required<Pick<RemoteServer, 'signedIn'>>;
}): JSX.Element {
  const { id, signedIn } = props.server;
  const { busy, error, signOut } = useSignIn(id);
  const { issuer, scope = '' } = signedIn;
  return (
    <section class="block" aria-label={en.serverSignIn.title}>
      <h2>{en.serverSignIn.title}</h2>
      <div class="rows">
        <div class="prov">
          <Icon of={ShieldCheck} />
          <div class="grow wrap">
            {en.serverSignIn.signedIn(hostOf(issuer))}
            <p>
              {en.serverSignIn.renews} {scope.trim() !== '' && en.serverSignIn.scopes(scopesOf(scope))}
            </p>
          </div>
          <WorkButton class="s" busy={busy} press={signOut}>
            {en.serverSignIn.signOut}
          </WorkButton>
        </div>
      </div>
      {error && <Problem error={error} />}
    </section>
  );
}
