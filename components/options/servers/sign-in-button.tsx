import type { JSX } from 'preact';
import { urlOf } from '../../../lib/state/setup.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { en } from '../../../locales/en.ts';
import type { SignIn } from './use-sign-in.ts';
import { WorkButton } from '../work-button.tsx';

const hostOf = (address: string): string => visible(urlOf(address)?.host ?? address);

/** Sign in, or the question that stands before it: whether Portside may reach the place where one signs in. */
export function SignInButton({ of }: { of: SignIn }): JSX.Element {
  if (!of.needs) {
    return (
      <WorkButton class="s primary" busy={of.busy} press={of.start}>
        {en.signIn.signIn}
      </WorkButton>
    );
  }
  const hosts = of.needs.map(hostOf).join(', ');
  return (
    <WorkButton class="s primary" busy={of.busy} help={en.signIn.needsOrigin(hosts)} press={of.allow}>
      {en.signIn.allow(hosts)}
    </WorkButton>
  );
}
