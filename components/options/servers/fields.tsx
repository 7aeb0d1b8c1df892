import type { JSX } from 'preact';
import { visible } from '../../../lib/state/shown-text.ts';
import { freeName } from '../../../lib/types/names.ts';
import { Check, SelectField, Switch, TextField } from '../fields.tsx';
import { useSetup } from '../options-context.ts';
import {
  ProgramFields,
  RemoteFields,
  RemoteOptions,
  UrlField,
  type FieldsProps,
} from './transport-fields.tsx';
import { t } from '../../../locales/texts/settings.ts';

/** The fields of a server's form: of the transports' own ones those of the chosen transport. */
export function ServerFields(props: FieldsProps): JSX.Element {
  const { server, draft, set, faults } = props;
  const isProgram = draft.transport === 'stdio';
  const others = useSetup().servers.filter(({ id }) => id !== server?.id);
  const wanted = draft.name.trim();
  const place = isProgram ? { command: draft.command } : { url: draft.url };
  const savedAs = freeName(
    wanted,
    place,
    others.map((other) => other.name),
  );
  const nameHelp = server ? t(($) => $.servers.fields.nameHelp, { id: server.id }) : undefined;
  const name = (
    <TextField
      label={t(($) => $.servers.fields.name)}
      value={draft.name}
      set={(next) => set({ name: next })}
      invalid={faults.name}
      help={
        savedAs === wanted
          ? (nameHelp ?? t(($) => $.servers.fields.nameOwn))
          : t(($) => $.servers.fields.nameTaken, { name: visible(savedAs) })
      }
    />
  );
  const transport = (
    <SelectField
      label={t(($) => $.servers.fields.transport)}
      value={draft.transport}
      options={t(($) => $.servers.transport)}
      set={(next) => set({ transport: next })}
      help={isProgram ? t(($) => $.servers.fields.stdioHelp) : t(($) => $.servers.fields.transportHelp)}
    />
  );
  const own = isProgram ? <ProgramFields {...props} /> : <RemoteFields {...props} />;
  const timeout = (
    <TextField
      label={t(($) => $.servers.fields.timeout)}
      type="number"
      step={1000}
      value={draft.toolTimeout}
      set={(toolTimeout) => set({ toolTimeout })}
      invalid={faults.toolTimeout}
      help={t(($) => $.servers.fields.timeoutHelp)}
    />
  );
  if (server)
    return (
      <>
        {name}
        {transport}
        {own}
        <div class="pair">{timeout}</div>
        <Choices {...props} />
      </>
    );
  return (
    <>
      {isProgram ? own : <UrlField {...props} takesFocus />}
      <details
        class="fold-field"
        open={isProgram || ['name', 'headers', 'clientId', 'toolTimeout'].some((field) => field in faults)}
      >
        <summary>{t(($) => $.servers.fields.advanced)}</summary>
        <div class="form">
          {name}
          {transport}
          {!isProgram && <RemoteOptions {...props} />}
          <div class="pair">
            {timeout}
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
          </div>
          <Choices {...props} />
        </div>
      </details>
    </>
  );
}

/** How its tools and its words are treated. */
function Choices({ draft, set }: FieldsProps): JSX.Element {
  return (
    <>
      <Check
        label={t(($) => $.servers.fields.trusted)}
        checked={draft.trusted}
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
    </>
  );
}
