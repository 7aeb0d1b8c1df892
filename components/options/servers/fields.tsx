import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { visible } from '../../../lib/state/shown-text.ts';
import { freeName } from '../../../lib/types/names.ts';
import { Check, fieldsOf, SelectField, Switch, TextField } from '../../ui/fields.tsx';
import { useSetup } from '../options-context.ts';
import { AddressField, ProgramFields, RequestFields, type FieldsProps } from './transport-fields.tsx';
import { completeAddress } from './typed-address.ts';
import { t } from '../../../locales/texts/settings.ts';

/**
 * The fields of a server's form: of the transports' own ones those of the chosen transport. Of a new one only where it
 * is, or what starts it, is in sight at first.
 */
export function ServerFields(props: FieldsProps): JSX.Element {
  const isProgram = props.draft.transport === 'stdio';
  const place = isProgram ? <ProgramFields {...props} /> : <AddressField {...props} />;
  const more = (
    <>
      {!isProgram && <RequestFields {...props} />}
      <Limits {...props} />
      <Choices {...props} />
    </>
  );
  if (props.server) {
    return (
      <>
        <Kind {...props} />
        {place}
        {more}
      </>
    );
  }
  return (
    <>
      {place}
      <Advanced {...props}>
        <Kind {...props} />
        {more}
      </Advanced>
    </>
  );
}

/** Open where something is filled in, at fault or asked for, unless the user closed it. */
function Advanced(props: FieldsProps & { children: ComponentChildren }): JSX.Element {
  const { draft, faults, wantsHeaders = false, children } = props;
  const isFilled = [draft.name, draft.headers, draft.clientId, draft.provider].some((text) => text !== '');
  const isAtFault = (
    ['name', 'headers', 'clientId', 'provider', 'providerClient', 'toolTimeout'] as const
  ).some((field) => faults[field] !== undefined);
  const [isOpen, setOpen] = useState<boolean>();
  return (
    <details
      class="fold-field"
      open={isAtFault || wantsHeaders || (isOpen ?? isFilled)}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{t(($) => $.servers.fields.advanced)}</summary>
      <div class="form">{children}</div>
    </details>
  );
}

/** What it is called, and how it is spoken to. */
function Kind(props: FieldsProps): JSX.Element {
  const { server, draft } = props;
  const field = fieldsOf(props);
  const isProgram = draft.transport === 'stdio';
  const others = useSetup().servers.filter(({ id }) => id !== server?.id);
  const wanted = draft.name.trim();
  const place = isProgram ? { command: draft.command } : { url: completeAddress(draft.url) };
  const savedAs = freeName(
    wanted,
    place,
    others.map((other) => other.name),
  );
  const nameHelp = server
    ? t(($) => $.servers.fields.nameHelp, { id: server.id })
    : t(($) => $.servers.fields.nameFound);
  return (
    <>
      <TextField
        label={t(($) => $.servers.fields.name)}
        {...field('name')}
        help={
          savedAs === wanted ? nameHelp : t(($) => $.servers.fields.nameTaken, { name: visible(savedAs) })
        }
      />
      <SelectField
        label={t(($) => $.servers.fields.transport)}
        {...field('transport')}
        options={t(($) => $.servers.transport)}
        help={isProgram ? t(($) => $.servers.fields.stdioHelp) : t(($) => $.servers.fields.transportHelp)}
      />
    </>
  );
}

/** How long its tools may take; of a new one also whether it is used at once. */
function Limits(props: FieldsProps): JSX.Element {
  const { server, draft, set } = props;
  return (
    <div class="pair">
      <TextField
        label={t(($) => $.servers.fields.timeout)}
        type="number"
        step={1000}
        {...fieldsOf(props)('toolTimeout')}
        help={t(($) => $.servers.fields.timeoutHelp)}
      />
      {!server && (
        <div class="field">
          <span class="label" aria-hidden="true">
            {t(($) => $.servers.fields.enabled)}
          </span>
          <span class="switch-line">
            <Switch
              label={t(($) => $.servers.fields.enabled)}
              checked={draft.enabled}
              set={(enabled) => set({ enabled })}
            />
          </span>
        </div>
      )}
    </div>
  );
}

/** How its tools and its words are treated. */
function Choices({ draft, set }: FieldsProps): JSX.Element {
  return (
    <>
      {draft.transport === 'stdio' && (
        <Check
          label={t(($) => $.programCheck.keepRunning)}
          checked={draft.keepRunning}
          set={(keepRunning) => set({ keepRunning })}
          help={t(($) => $.programCheck.keepRunningHelp)}
        />
      )}
      <Check
        label={t(($) => $.servers.fields.trusted)}
        checked={draft.trusted === true}
        set={(trusted) => set({ trusted })}
        help={t(($) => $.servers.fields.trustedHelp)}
      />
      <Check
        label={t(($) => $.servers.fields.oneAtATime)}
        checked={draft.oneAtATime}
        set={(oneAtATime) => set({ oneAtATime })}
        help={t(($) => $.servers.fields.oneAtATimeHelp)}
      />
      <Check
        label={t(($) => $.servers.fields.instructions)}
        checked={draft.withInstructions}
        set={(withInstructions) => set({ withInstructions })}
        help={t(($) => $.servers.fields.instructionsHelp)}
      />
      <Check
        label={t(($) => $.servers.fields.apps)}
        checked={draft.withApps}
        set={(withApps) => set({ withApps })}
        help={t(($) => $.servers.fields.appsHelp)}
      />
    </>
  );
}
