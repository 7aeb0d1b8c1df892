import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { readForm } from '../../../lib/state/chat/request-answer.ts';
import {
  draftOfForm,
  fieldsOf,
  heldBy,
  withHeld,
  type FormDraft,
} from '../../../lib/state/chat/request-form.ts';
import type { ServerRequest } from '../../../lib/types/request.ts';
import { useRequesting } from '../../request-context.ts';
import { RequestField } from './request-field.tsx';
import { RequestFrame } from './request-frame.tsx';
import { useGuard } from '../use-guard.ts';
import { t } from '../../../locales/texts/panel.ts';

/** A form that a server wants filled in. What is typed stays until it is answered. */
export function RequestForm({ request }: { request: ServerRequest & { kind: 'form' } }): JSX.Element {
  const { answers, answerRequest } = useRequesting();
  const { id, schema } = request;
  const { root, guarded } = useGuard();
  const fields = useMemo(() => fieldsOf(schema), [schema]);
  const [draft, setDraft] = useState<FormDraft>(() => answers.of(id) ?? draftOfForm(schema));
  /** Fields whose faults are told: those that were left, and all once it was tried to send them. */
  const [told, setTold] = useState<ReadonlySet<string>>(new Set());
  const { content, faults } = readForm(fields, draft);

  const change = (name: string, value: FormDraft[string]): void => {
    const next = withHeld(draft, name, value);
    setDraft(next);
    answers.keep(id, next);
  };
  const submit = (): void => {
    const wrong = fields.find(({ name }) => faults.has(name));
    if (!wrong) return void guarded(() => answerRequest(id, { action: 'accept', content }));
    setTold(new Set(fields.map(({ name }) => name)));
    const at = fields.indexOf(wrong);
    root.current?.children[at]?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  };
  return (
    <RequestFrame
      request={request}
      message={request.message}
      submit={submit}
      answer={(action) => answerRequest(id, { action })}
      accept={<button class="btn primary">{t(($) => $.request.submit)}</button>}
      note={t(($) => $.request.goesTo, { host: request.serverHost })}
    >
      <div class="questions" ref={root}>
        {fields.map((field) => (
          <RequestField
            key={field.name}
            field={field}
            value={heldBy(draft, field.name)}
            fault={told.has(field.name) ? faults.get(field.name) : undefined}
            change={(value) => change(field.name, value)}
            leave={() => setTold(new Set([...told, field.name]))}
          />
        ))}
      </div>
    </RequestFrame>
  );
}
