import { Cloud, Lock } from 'lucide';
import type { JSX } from 'preact';
import { isUnseen, type Choice } from '../../../lib/state/composer/choice.ts';
import { isLoopback } from '../../../lib/origins.ts';
import { contextUsed, usageWords } from '../../../lib/state/chat/usage.ts';
import type { Traits } from '../../../lib/types/model.ts';
import { FULL_CONTEXT } from '../../../lib/types/tokens.ts';
import { usePanel } from '../../panel-context.ts';
import { Icon } from '../../ui/icon.tsx';
import './where.css';
import { t } from '../../../locales/texts/panel.ts';
import { units } from '../../../locales/units.ts';

/** Which machine reads the message, and how full the model's context is. */
export function Where({ choice: { provider, traits } }: { choice: Choice }): JSX.Element {
  const here = isLoopback(provider.baseUrl);
  const who = provider.name || (URL.parse(provider.baseUrl)?.host ?? provider.baseUrl);
  return (
    <p class="where">
      <Icon of={here ? Lock : Cloud} />
      <span class="cut">{here ? t(($) => $.composer.stays) : t(($) => $.composer.sentTo, { who })}</span>
      <Context traits={traits} />
    </p>
  );
}

function Context({ traits }: { traits: Traits }): JSX.Element | null {
  const { contextWindow: window } = traits;
  const { conversation, messages, attachments } = usePanel().chat.value;
  const before = contextUsed(messages);
  if (before === null && attachments.length === 0) return null;
  const used = attachments
    .filter((attachment) => !isUnseen(attachment, traits))
    .reduce((sum, { tokens }) => sum + tokens, before ?? 0);
  const total = conversation?.usage;
  const soFar = total && t(($) => $.usage.total, { amounts: usageWords(total) });
  return (
    <>
      <span class="num" title={soFar}>
        {t(($) => $.usage.used, {
          tokens: units.amount(used),
          window: window === undefined ? 'none' : units.window(window),
        })}
        {soFar && <span class="sr">. {soFar}</span>}
      </span>
      {window !== undefined && (
        <meter
          class="meter"
          aria-label={t(($) => $.usage.context)}
          min={0}
          max={window}
          high={window * FULL_CONTEXT}
          optimum={0}
          value={used}
        />
      )}
    </>
  );
}
