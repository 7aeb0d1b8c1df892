import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { givenName, visible } from '../../../lib/state/shown-text.ts';
import type { ServerRequest } from '../../../lib/types/request.ts';
import { useDecision } from '../../ui/keys/decisions.ts';
import { KeyedButton } from '../../ui/keys/keyed-button.tsx';
import { useFocusAfter } from '../../ui/overlay/use-focus-after.ts';
import { LongText } from '../../ui/long-text.tsx';
import { useGuard } from '../use-guard.ts';
import { t } from '../../../locales/texts/panel.ts';
import { useRequesting } from '../../request-context.ts';
import { TrustWarning } from '../../ui/trust-warning.tsx';

/** It scrolls then, which the keyboard must be able to do. */
const long = (message: string): boolean => message.length > 400 || message.split('\n').length > 8;

/** The card of a question that a server asks the user. `accept` is its main button. */
export function RequestFrame(props: {
  request: ServerRequest;
  message: string;
  submit?: () => void;
  answer: (action: 'decline' | 'cancel') => Promise<unknown>;
  accept: ComponentChildren;
  note: string;
  children: ComponentChildren;
}): JSX.Element {
  const { request, message, submit } = props;
  const id = useId();
  const { root, guarded } = useGuard<HTMLFormElement>();
  useFocusAfter(root);
  const answer = (action: 'decline' | 'cancel'): void => void guarded(() => props.answer(action));
  const keys = useDecision(root, { deny: () => answer('cancel') });
  return (
    <form
      class="ask"
      aria-labelledby={`${id}-title`}
      ref={root}
      tabIndex={-1}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit?.();
      }}
    >
      <div class="ask-head">
        <h2 id={`${id}-title`}>{t(($) => $.request.from, { server: givenName(request.serverName) })}</h2>
      </div>
      <div class="ask-body">
        <AlikeWarning request={request} />
        {message !== '' && (
          <p class="muted plain asked" tabIndex={long(message) ? 0 : undefined}>
            <LongText text={visible(message)} />
          </p>
        )}
        {props.children}
      </div>
      <div class="ask-foot request-foot">
        <div class="actions">
          {props.accept}
          <button type="button" class="btn" onClick={() => answer('decline')}>
            {t(($) => $.request.decline)}
          </button>
          <span class="grow" />
          <KeyedButton class="btn quiet" keys={keys.deny} onClick={() => answer('cancel')}>
            {t(($) => $.actions.cancel)}
          </KeyedButton>
        </div>
        <p class="help">{props.note}</p>
      </div>
    </form>
  );
}

/** That the server which asks may be taken for another one, or for Portside. */
export function AlikeWarning({ request }: { request: ServerRequest }): JSX.Element | null {
  const twin = useRequesting().alike(request);
  if (twin === undefined) return null;
  return <TrustWarning text={t(($) => $.approval.serverAlike, { name: visible(twin) })} />;
}
