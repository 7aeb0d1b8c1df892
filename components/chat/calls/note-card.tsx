import type { JSX } from 'preact';
import { useId, useLayoutEffect, useState } from 'preact/hooks';
import { parseJson, recordOf } from '../../../lib/json.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { inOneLine } from '../../../lib/types/names.ts';
import { LONGEST_NOTE } from '../../../lib/types/note.ts';
import { projectInUse } from '../../../lib/types/project.ts';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import { usePanel } from '../../panel-context.ts';
import { GrowingArea } from '../../ui/growing-area.tsx';
import { useDecision } from '../../ui/keys/decisions.ts';
import { KeyedButton } from '../../ui/keys/keyed-button.tsx';
import { useFocusAfter } from '../../ui/overlay/use-focus-after.ts';
import { AskCard } from '../ask-card.tsx';
import { useGuard } from '../use-guard.ts';
import { Quoted } from './approval-arguments.tsx';
import { Behind } from './approval-card.tsx';
import { t } from '../../../locales/texts/panel.ts';

/** A note that the model proposes to keep: what stands here is what is kept, but for what is invisible. */
export function NoteCard({ call }: { call: ToolCall }): JSX.Element {
  const panel = usePanel();
  const project = projectInUse(panel.setup.value?.projects ?? [], panel.chat.value.conversation);
  const id = useId();
  const { root, guarded } = useGuard();
  const [text, setText] = useState(() => noteOf(call));
  const [isEditing, setEditing] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  useFocusAfter(root);
  useLayoutEffect(() => {
    if (isEditing) root.current?.querySelector('textarea')?.focus();
  }, [isEditing]);
  const keep = (): void =>
    void guarded(async () => {
      const refused = await panel.resolveCall(call.callId, {
        decision: 'allow',
        scope: 'once',
        arguments: JSON.stringify({ note: text }),
      });
      if (refused) setFault(refused.cause ?? refused.message);
    });
  const deny = (): void => void guarded(() => panel.resolveCall(call.callId, { decision: 'deny' }));
  const keys = useDecision(root, {
    allow: keep,
    deny,
    ...(isEditing && { leave: () => setEditing(false) }),
  });
  return (
    <AskCard
      root={root}
      aria-labelledby={`${id}-title`}
      aria-describedby={[`${id}-behind`, `${id}-note`].join(' ')}
    >
      <div class="ask-head">
        <h2 id={`${id}-title`}>{t(($) => $.memory.propose)}</h2>
        {call.taint && (
          <Behind
            id={`${id}-behind`}
            taint={call.taint}
            words={(sources) => t(($) => $.memory.read, { sources })}
          />
        )}
      </div>
      <div class="ask-body">
        {isEditing ? (
          <GrowingArea
            class="input"
            id={`${id}-note`}
            aria-label={t(($) => $.memory.note)}
            dir="auto"
            rows={2}
            maxLength={LONGEST_NOTE}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        ) : (
          <p class="plain" id={`${id}-note`} dir="auto">
            <Quoted text={visible(text)} quotes={call.taint?.quotes ?? []} isPlain />
          </p>
        )}
        {fault !== null && (
          <p class="help bad" role="status">
            {fault}
          </p>
        )}
      </div>
      <div class="ask-foot request-foot">
        <div class="actions">
          <KeyedButton class="btn primary" keys={keys.allow} onClick={keep}>
            {t(($) => $.memory.keep)}
          </KeyedButton>
          {!isEditing && (
            <button type="button" class="btn" onClick={() => setEditing(true)}>
              {t(($) => $.actions.edit)}
            </button>
          )}
          <KeyedButton class="btn" keys={keys.deny} onClick={deny}>
            {t(($) => $.memory.no)}
          </KeyedButton>
        </div>
        <p class="help">
          {project ? t(($) => $.memory.helpIn, { name: visible(project.name) }) : t(($) => $.memory.help)}
        </p>
      </div>
    </AskCard>
  );
}

/** As it came where it is no JSON: the worker refuses that. */
function noteOf({ arguments: text, edited }: ToolCall): string {
  const { note = text } = recordOf(parseJson(edited ?? text));
  return inOneLine(String(note));
}
