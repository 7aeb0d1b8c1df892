import { X } from 'lucide';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { jsonFault } from '../../../lib/state/chat/json-fault.ts';
import { pretty, visible } from '../../../lib/state/shown-text.ts';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import { OWN_TOOLS } from '../../../lib/types/tools/tool-source.ts';
import { usePanel } from '../../panel-context.ts';
import { type FormArguments, formIn } from './approval-arguments.tsx';
import { GrowingArea } from '../../ui/growing-area.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { t } from '../../../locales/texts/panel.ts';

/** The schema is asked once the user has stopped typing for so long. */
const CHECK_MS = 250;

export type ArgumentsState = {
  text: string;
  /** The text is not what the model wrote. */
  edited: boolean;
  /** The text is not what would run without a word about it. */
  changed: boolean;
  /** Characters that are not shown: what runs is the whole, which can't be edited then. */
  omitted: number;
  /** Why a call with these arguments could not run, in a sentence. */
  fault: string | null;
  type: (text: string) => void;
  reset: () => void;
  /** The worker did not take the arguments as they are. */
  refuse: (reason: string) => void;
  /** Asks the schema now. @returns whether the call could run with them */
  check: () => Promise<boolean>;
};

/** What the user makes of a call's arguments: JSON is checked here and now, the tool's schema by the worker. */
export function useArguments(call: ToolCall): ArgumentsState {
  const { command } = usePanel();
  const omitted = call.omittedArguments ?? 0;
  const [original] = useState(() => pretty(call.arguments));
  // What would run as it is: a call that is asked about again may have been edited before.
  const [shown] = useState(() => pretty(call.edited ?? call.arguments));
  const [text, setText] = useState(shown);
  const [refusal, setRefusal] = useState<string | null>(null);
  const edited = text !== original;
  const changed = text !== shown;
  const json = changed ? jsonFault(text) : null;
  const asks = changed && json === null;

  const problemNow = async (): Promise<string | null> =>
    (await command('checkArguments', { callId: call.callId, arguments: text }))?.reply ?? null;
  useEffect(() => {
    if (!asks) return undefined;
    let current = true;
    const checkSoon = async (): Promise<void> => {
      const problem = await problemNow();
      if (current && problem !== null) setRefusal(problem);
    };
    const timer = setTimeout(() => void checkSoon(), CHECK_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [asks, text, call.callId, command]);

  const type = (next: string): void => {
    setText(next);
    setRefusal(null);
  };
  return {
    text,
    edited,
    changed,
    omitted,
    fault: json ?? refusal,
    type,
    reset: () => type(original),
    refuse: setRefusal,
    async check() {
      if (!changed) return true;
      const problem = json ?? (await problemNow());
      if (problem !== null) setRefusal(problem);
      return problem === null;
    },
  };
}

/** Arguments as the user may change them: the fields of a form by their names, all else as JSON. */
export function ArgumentsEditor(props: { id: string; args: ArgumentsState; call: ToolCall }): JSX.Element {
  const { id, args, call } = props;
  const { targets = {} } = call;
  // Of text with hidden characters JSON shows what it is.
  const [isForm] = useState(() => formOf(call, args.text) !== null && !hides(args.text));
  const form = isForm ? formOf(call, args.text) : null;
  return form ? (
    <FieldsEditor id={id} args={args} form={form} targets={targets} />
  ) : (
    <ArgumentsField id={id} args={args} />
  );
}

/** Null for what fills in no form. @param text JSON */
const formOf = ({ serverId, toolName }: ToolCall, text: string): FormArguments | null =>
  serverId === OWN_TOOLS && toolName === 'fill_form' ? formIn(text) : null;

/** Whether there are characters in it that a field shows not. @param text JSON */
function hides(text: string): boolean {
  const written = JSON.stringify(JSON.parse(text));
  return visible(written) !== written;
}

/** The values of a form, each of which may be changed, or left out but the last. */
function FieldsEditor(props: {
  id: string;
  args: ArgumentsState;
  form: FormArguments;
  targets: Record<string, string>;
}): JSX.Element {
  const { id, args, form, targets } = props;
  const { fields } = form;
  const root = useRef<HTMLDivElement>(null);
  const removed = useRef<number | null>(null);
  const put = (next: FormArguments['fields']): void =>
    args.type(pretty(JSON.stringify({ ...form, fields: next })));
  const leaveOut = (at: number): void => {
    removed.current = at;
    put(fields.filter((_, index) => index !== at));
  };
  // The button that was pressed went with its field.
  useLayoutEffect(() => {
    const areas = root.current?.querySelectorAll('textarea');
    if (removed.current !== null) areas?.[Math.min(removed.current, areas.length - 1)]?.focus();
    removed.current = null;
  }, [fields.length]);
  return (
    <div class="ask-fields" ref={root}>
      {fields.map(({ ref, value }, at) => {
        const name = visible(targets[ref] ?? ref);
        return (
          <div class="field" key={at}>
            <label class="small" for={`${id}-${at}`}>
              <bdi dir="ltr">{name}</bdi>
            </label>
            <div class="ask-value-field">
              <GrowingArea
                class="input"
                id={`${id}-${at}`}
                dir="auto"
                rows={1}
                autocomplete="off"
                value={value}
                onInput={({ currentTarget }) => put(fields.with(at, { ref, value: currentTarget.value }))}
                aria-invalid={args.fault !== null}
                aria-describedby={args.fault === null ? undefined : `${id}-fault`}
              />
              {fields.length > 1 && (
                <IconButton
                  icon={X}
                  small
                  label={t(($) => $.approval.leaveOutField, { name })}
                  onClick={() => leaveOut(at)}
                />
              )}
            </div>
          </div>
        );
      })}
      <div class="actions">
        <Edited args={args} />
      </div>
    </div>
  );
}

/** That arguments are not what the model wrote, and back to that. */
function Edited({ args }: { args: ArgumentsState }): JSX.Element | null {
  if (!args.edited) return null;
  return (
    <>
      <span class="badge">{t(($) => $.approval.edited)}</span>
      <button type="button" class="btn quiet s" onClick={args.reset}>
        {t(($) => $.approval.reset)}
      </button>
    </>
  );
}

export function ArgumentsField({ id, args }: { id: string; args: ArgumentsState }): JSX.Element {
  return (
    <div class="field">
      <div class="actions ask-label">
        <label class="grow small" for={id}>
          {t(($) => $.tool.arguments)}
        </label>
        <Edited args={args} />
      </div>
      <GrowingArea
        class="area"
        id={id}
        dir="ltr"
        spellcheck={false}
        value={args.text}
        onInput={(event) => args.type(event.currentTarget.value)}
        aria-invalid={args.fault !== null}
        aria-describedby={args.fault === null ? undefined : `${id}-fault`}
      />
    </div>
  );
}
