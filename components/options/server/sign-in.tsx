import { KeyRound, ShieldCheck } from 'lucide';
import type { JSX } from 'preact';
import { visible } from '../../../lib/state/shown-text.ts';
import type { RemoteServer, Server, ServerStatus } from '../../../lib/types/server.ts';
import { Icon } from '../../ui/icon.tsx';
import { useSetupState } from '../options-context.ts';
import { Problem } from '../form/problem.tsx';
import { type Action, useAction } from '../form/use-action.ts';
import { WorkButton } from '../form/work-button.tsx';
import { useState } from 'preact/hooks';
import { requestOrigins } from '../../../lib/gestures.ts';
import { signIn } from '../../../lib/state/settings/sign-in.ts';
import { notAllowed } from '../form/use-granted.ts';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';

const hostOf = (address: string): string => visible(URL.parse(address)?.host ?? address);
const scopesOf = (scope: string): string[] => visible(scope).trim().split(/\s+/);

/** That the server wants the user to sign in, with the button for it. Nothing is wrong with such a server. */
export function SignInNotice({ server, status }: { server: Server; status: ServerStatus }): JSX.Element {
  const { busy, error, needs, press } = useSignIn(server.id);
  const hosts = needs.map(hostOf).join(', ');
  return (
    <>
      <div class="notice block sign-in">
        <Icon of={KeyRound} />
        <div class="grow">
          <p>
            <strong>{t(($) => $.serverSignIn.needed, { server: visible(server.name) })}</strong>{' '}
            {status.scope !== undefined &&
              t(($) => $.serverSignIn.more, { scopes: scopesOf(status.scope).join(', ') })}
          </p>
          <p class="small muted wrap" role="status">
            {hosts === '' ? t(($) => $.serverSignIn.lead) : t(($) => $.serverSignIn.reaches, { hosts })}
          </p>
        </div>
        <WorkButton class="primary" busy={busy} press={press}>
          <span class="wrap">
            {hosts === '' ? t(($) => $.serverSignIn.signIn) : t(($) => $.serverSignIn.allow, { hosts })}
          </span>
        </WorkButton>
      </div>
      {error && <Problem error={error} />}
    </>
  );
}

/** With whom the user is signed in, and the way out. */
export function SignedIn(props: {
  server: RemoteServer & Required<Pick<RemoteServer, 'signedIn'>>;
}): JSX.Element {
  const { id, signedIn } = props.server;
  const { command } = useSetupState();
  const { busy, error, run } = useAction();
  const { issuer, scope = '' } = signedIn;
  return (
    <section class="block" aria-label={t(($) => $.serverSignIn.title)}>
      <h2>{t(($) => $.serverSignIn.title)}</h2>
      <div class="rows">
        <div class="prov">
          <Icon of={ShieldCheck} />
          <div class="grow wrap">
            {t(($) => $.serverSignIn.signedIn, { issuer: hostOf(issuer) })}
            <p>
              {t(($) => $.serverSignIn.renews)}{' '}
              {scope.trim() !== '' &&
                t(($) => $.serverSignIn.scopes, { scopes: units.commas(scopesOf(scope)) })}
            </p>
          </div>
          <WorkButton class="s" busy={busy} press={() => run(() => command('signOut', { id }))}>
            {t(($) => $.serverSignIn.signOut)}
          </WorkButton>
        </div>
      </div>
      {error && <Problem error={error} />}
    </section>
  );
}

type SignIn = Pick<Action, 'busy' | 'error'> & {
  /** Origins that the browser has to allow before the sign-in can go on. */
  needs: string[];
  /** Signs in, or first asks the browser for what it needs: call it in a click. */
  press: () => void;
};

/** Signing in at a server. It goes on though what shows it is gone, as long as the page is there. */
function useSignIn(serverId: number): SignIn {
  const { command } = useSetupState();
  const { busy, error, run } = useAction();
  const [needs, setNeeds] = useState<string[]>([]);
  const press = (): void => {
    if (busy) return;
    // First of all, while the click still counts.
    const granting = needs.length === 0 || requestOrigins(needs);
    run(async (isWanted) => {
      if (!(await granting)) throw notAllowed(needs.map((origin) => new URL(origin).host).join(', '));
      const missing = await signIn(command, serverId);
      if (isWanted()) setNeeds(missing);
    });
  };
  return { busy, error, needs, press };
}
