import type { JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { parseJson, recordOf } from '../../../lib/json.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import { usePanel } from '../../panel-context.ts';
import { useDecision } from '../../ui/keys/decisions.ts';
import { KeyedButton } from '../../ui/keys/keyed-button.tsx';
import { useFocusAfter } from '../../ui/overlay/use-focus-after.ts';
import { AskCard } from '../ask-card.tsx';
import { useGuard } from '../use-guard.ts';
import { ReadSite } from './approval-addresses.tsx';
import { t } from '../../../locales/texts/panel.ts';

/** What the model asks the user to do themselves, in its words, which a page may be behind: plain text. */
export function HandOver({ call }: { call: ToolCall }): JSX.Element {
  const panel = usePanel();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const { root, guarded } = useGuard();
  useFocusAfter(root);
  const { what, why } = wordsOf(call);
  const answer = (decision: 'allow' | 'deny'): void => {
    const word = field.current?.value.trim();
    void guarded(() => panel.resolveCall(call.callId, { decision, ...(word && { word }) }));
  };
  const goOn = (): void => answer('allow');
  const decline = (): void => answer('deny');
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.isComposing) return;
    event.preventDefault();
    goOn();
  };
  const keys = useDecision(root, { allow: goOn, deny: decline });
  return (
    <AskCard root={root} aria-labelledby={`${id}-title`} aria-describedby={`${id}-what`}>
      <div class="ask-head">
        <h2 id={`${id}-title`}>{t(($) => $.handOver.title)}</h2>
      </div>
      <div class="ask-body">
        <div class="asked plain" id={`${id}-what`}>
          <p>{what}</p>
          <p class="muted">{why}</p>
        </div>
        <ReadSite call={call} />
        <input
          class="input"
          type="text"
          autocomplete="off"
          ref={field}
          aria-label={t(($) => $.handOver.answer)}
          placeholder={t(($) => $.handOver.answer)}
          onKeyDown={onKeyDown}
        />
      </div>
      <div class="ask-foot request-foot">
        <div class="actions">
          <KeyedButton class="btn primary" keys={keys.allow} onClick={goOn}>
            {t(($) => $.notice.continue)}
          </KeyedButton>
          <KeyedButton class="btn" keys={keys.deny} onClick={decline}>
            {t(($) => $.request.decline)}
          </KeyedButton>
        </div>
        <p class="help">{t(($) => $.handOver.note)}</p>
      </div>
    </AskCard>
  );
}

/** As they came where they are no JSON, which the worker may have read all the same. */
function wordsOf({ arguments: text }: ToolCall): { what: string; why: string } {
  const { what = text, why = '' } = recordOf(parseJson(text));
  return { what: visible(String(what)), why: visible(String(why)) };
}
