import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { modelLabel } from '../../../lib/state/composer/choice.ts';
import { isLoopback } from '../../../lib/origins.ts';
import { givenName, pretty, visible } from '../../../lib/state/shown-text.ts';
import type {
  SamplingRequest,
  ServerRequest,
  SamplingContent,
  SamplingMessage,
} from '../../../lib/types/request.ts';
import { useRequesting } from '../../request-context.ts';
import { AlikeWarning } from './request-frame.tsx';
import { useDecision } from '../../ui/keys/decisions.ts';
import { KeyedButton } from '../../ui/keys/keyed-button.tsx';
import { useFocusAfter } from '../../ui/overlay/use-focus-after.ts';
import { AskCard } from '../ask-card.tsx';
import { useGuard } from '../use-guard.ts';
import { LongText } from '../../ui/long-text.tsx';
import { Raw } from '../message/raw.tsx';
import { t } from '../../../locales/texts/panel.ts';
import { units } from '../../../locales/units.ts';
import { phrases } from '../../../locales/phrases.ts';
import { Media } from '../calls/content-block.tsx';

/** A server that wants to ask the user's model: what it asks, whom, and at what length. */
export function SamplingRequestView(props: { request: ServerRequest & { kind: 'sampling' } }): JSX.Element {
  const { id: requestId, sampling, serverName } = props.request;
  const { answerRequest } = useRequesting();
  const id = useId();
  const { root, guarded } = useGuard();
  useFocusAfter(root);
  const answer = (action: 'accept' | 'decline'): void =>
    void guarded(() => answerRequest(requestId, { action }));
  const keys = useDecision(root, { allow: () => answer('accept'), deny: () => answer('decline') });
  const server = givenName(serverName);
  const how = phrases.sampling(sampling);
  return (
    <AskCard root={root} aria-label={t(($) => $.sampling.title, { server })} aria-describedby={`${id}-model`}>
      <div class="ask-head">
        <h2>{t(($) => $.sampling.lead, { server })}</h2>
        <p class="small subtle">{visible(props.request.serverHost)}</p>
        <AlikeWarning request={props.request} />
        <p class="small subtle" id={`${id}-model`}>
          <AskedModel /> {t(($) => $.sampling.most, { tokens: units.amount(sampling.maxTokens) })}
        </p>
      </div>
      <div class="ask-body sampled">
        {sampling.system !== undefined && (
          <section aria-label={t(($) => $.sampling.system)}>
            <h3>{t(($) => $.sampling.system)}</h3>
            <SampledText text={sampling.system} />
          </section>
        )}
        {sampling.messages.map((message, position) => (
          <SamplingMessageView key={position} message={message} />
        ))}
        {how !== '' && <p class="small muted">{visible(how)}</p>}
        {sampling.tools.length > 0 && (
          <section aria-label={t(($) => $.sampling.tools)}>
            <h3>{t(($) => $.sampling.tools)}</h3>
            {sampling.tools.map((tool, position) => (
              <SampledTool key={position} tool={tool} />
            ))}
          </section>
        )}
      </div>
      <div class="ask-foot">
        <div class="choices only">
          <KeyedButton class="btn primary" keys={keys.allow} onClick={() => answer('accept')}>
            {t(($) => $.approval.allowOnce)}
          </KeyedButton>
          <KeyedButton class="btn" keys={keys.deny} onClick={() => answer('decline')}>
            {t(($) => $.approval.deny)}
          </KeyedButton>
        </div>
      </div>
    </AskCard>
  );
}

/** Which model is asked, and on which machine. */
function AskedModel(): JSX.Element {
  const choice = useRequesting().asked();
  if (!choice) return <>{t(($) => $.sampling.noModel)}</>;
  const { provider, model } = choice;
  const where = isLoopback(provider.baseUrl)
    ? t(($) => $.composer.stays)
    : t(($) => $.composer.sentTo, { who: provider.name });
  return <>{t(($) => $.sampling.asks, { model: modelLabel(provider, model), where })}</>;
}

/** A tool that the server gives to the model: all that the model reads of it. */
function SampledTool({ tool }: { tool: SamplingRequest['tools'][number] }): JSX.Element {
  const { name, description, inputSchema } = tool;
  return (
    <details class="sampled-tool">
      <summary class="mono">{visible(name)}</summary>
      <p class="plain">
        <LongText text={description === '' ? t(($) => $.sampling.noDescription) : visible(description)} />
      </p>
      <Raw text={pretty(JSON.stringify(inputSchema))} />
    </details>
  );
}

/** One message of what a server wants the model asked. */
function SamplingMessageView({ message }: { message: SamplingMessage }): JSX.Element {
  const role = t(($) => $.sampling.roles[message.role]);
  return (
    <section aria-label={role}>
      <h3>{role}</h3>
      {message.content.map((content, position) => (
        <Content key={position} content={content} />
      ))}
    </section>
  );
}

function Content({ content }: { content: SamplingContent }): JSX.Element {
  switch (content.type) {
    case 'text':
      return <SampledText text={content.text} />;
    case 'tool_use':
      return (
        <>
          <p class="small">{visible(t(($) => $.sampling.called, { name: content.name }))}</p>
          <SampledText text={pretty(JSON.stringify(content.input))} isCode />
        </>
      );
    case 'tool_result':
      return (
        <>
          <p class="small">{t(($) => $.sampling.result, { isError: content.isError })}</p>
          <SampledText text={content.text} />
        </>
      );
    default:
      return <Media block={content} />;
  }
}

/** What is longer is folded. */
const SHORT = 240;

function SampledText({ text, isCode }: { text: string; isCode?: boolean }): JSX.Element {
  const [whole, setWhole] = useState(false);
  const long = text.length > SHORT;
  return (
    <>
      <p class={isCode ? 'quoted plain mono' : 'quoted plain'}>
        <LongText text={visible(long && !whole ? `${text.slice(0, SHORT)}…` : text)} />
      </p>
      {long && (
        <button type="button" class="link small" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? t(($) => $.sampling.less) : t(($) => $.sampling.more)}
        </button>
      )}
    </>
  );
}
