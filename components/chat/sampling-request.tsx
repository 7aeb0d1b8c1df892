import type { JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { en } from '../../locales/en-late.ts';
import { modelLabel } from '../../lib/state/choice.ts';
import { isLoopback } from '../../lib/state/setup.ts';
import { visible } from '../../lib/state/shown-text.ts';
import type { ServerRequest } from '../../lib/types/request.ts';
import { useRequesting } from '../request-context.ts';
import { SamplingMessageView, SampledText } from './sampling-message.tsx';
import { SampledTool } from './sampling-tool.tsx';
import { useDecision } from '../ui/decisions.ts';
import { useFocusAfter } from '../ui/use-focus-after.ts';
import { useGuard } from './use-guard.ts';

/** A server that wants to ask the person's model: what it asks, whom, and at what length. */
export function SamplingRequestView(props: { request: ServerRequest & { kind: 'sampling' } }): JSX.Element {
  const { id: requestId, sampling, serverName } = props.request;
  const { answerRequest } = useRequesting();
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const guarded = useGuard();
  useFocusAfter(root);
  const answer = (action: 'accept' | 'decline'): void =>
    void guarded(() => answerRequest(requestId, { action }));
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === 'Escape') answer('decline');
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) answer('accept');
    else return;
    event.preventDefault();
  };
  useDecision(root, { allow: () => answer('accept'), deny: () => answer('decline') });
  const server = visible(serverName);
  const how = en.sampling.how(sampling);
  return (
    <div
      class="ask"
      ref={root}
      role="alertdialog"
      aria-modal="false"
      aria-label={en.sampling.title(server)}
      aria-describedby={`${id}-model`}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <div class="ask-head">
        <h2>{en.sampling.lead(server)}</h2>
        <p class="small subtle" id={`${id}-model`}>
          <AskedModel /> {en.sampling.most(sampling.maxTokens)}
        </p>
      </div>
      <div class="ask-body sampled">
        {sampling.system !== undefined && (
          <section aria-label={en.sampling.system}>
            <h3>{en.sampling.system}</h3>
            <SampledText text={sampling.system} />
          </section>
        )}
        {sampling.messages.map((message, position) => (
          <SamplingMessageView key={position} message={message} />
        ))}
        {how !== '' && <p class="small muted">{visible(how)}</p>}
        {sampling.tools.length > 0 && (
          <section aria-label={en.sampling.tools}>
            <h3>{en.sampling.tools}</h3>
            {sampling.tools.map((tool, position) => (
              <SampledTool key={position} tool={tool} />
            ))}
          </section>
        )}
      </div>
      <div class="ask-foot">
        <div class="choices only">
          <button class="btn primary" aria-keyshortcuts="Control+Enter" onClick={() => answer('accept')}>
            {en.approval.allowOnce}
            <kbd aria-hidden="true">{en.approval.keyAllow}</kbd>
          </button>
          <button class="btn" aria-keyshortcuts="Escape" onClick={() => answer('decline')}>
            {en.approval.deny}
            <kbd aria-hidden="true">{en.approval.keyDeny}</kbd>
          </button>
        </div>
      </div>
    </div>
  );
}

/** Which model is asked, and on which machine. */
function AskedModel(): JSX.Element {
  const choice = useRequesting().asked();
  if (!choice) return <>{en.sampling.noModel}</>;
  const { provider, model } = choice;
  const where = isLoopback(provider.baseUrl) ? en.composer.stays : en.composer.sentTo(provider.name);
  return <>{en.sampling.asks(modelLabel(provider, model), where)}</>;
}
