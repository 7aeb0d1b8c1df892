import type { JSX } from 'preact';
import { en } from '../../../locales/en-options.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { freeName } from '../../../lib/types/names.ts';
import { Check, SelectField, Switch, TextField } from '../fields.tsx';
import { useSetup } from '../options-context.ts';
import { ProgramFields, RemoteFields, type FieldsProps } from './transport-fields.tsx';

const words = en.servers.fields;

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
  const nameHelp = server ? words.nameHelp(server.id) : undefined;
  return (
    <>
      <TextField
        label={words.name}
        value={draft.name}
        set={(name) => set({ name })}
        invalid={faults.name}
        help={savedAs === wanted ? nameHelp : words.nameTaken(visible(savedAs))}
      />
      <SelectField
        label={words.transport}
        value={draft.transport}
        options={en.servers.transport}
        set={(transport) => set({ transport })}
        help={isProgram ? words.stdioHelp : words.transportHelp}
      />
      {isProgram ? <ProgramFields {...props} /> : <RemoteFields {...props} />}
      <div class="pair">
        <TextField
          label={words.timeout}
          type="number"
          step={1000}
          value={draft.toolTimeout}
          set={(toolTimeout) => set({ toolTimeout })}
          invalid={faults.toolTimeout}
          help={words.timeoutHelp}
        />
        {!server && (
          <div class="field">
            <span class="label" aria-hidden="true">
              {words.enabled}
            </span>
            <span class="switch-line">
              <Switch label={words.enabled} checked={draft.enabled} set={(enabled) => set({ enabled })} />
            </span>
          </div>
        )}
      </div>
      <Choices {...props} />
    </>
  );
}

/** How its tools and its words are treated. */
function Choices({ draft, set }: FieldsProps): JSX.Element {
  return (
    <>
      <Check
        label={words.trusted}
        checked={draft.trusted}
        set={(trusted) => set({ trusted })}
        help={words.trustedHelp}
      />
      <Check
        label={words.oneAtATime}
        checked={draft.oneAtATime}
        set={(oneAtATime) => set({ oneAtATime })}
        help={words.oneAtATimeHelp}
      />
      <Check
        label={words.instructions}
        checked={draft.withInstructions}
        set={(withInstructions) => set({ withInstructions })}
        help={words.instructionsHelp}
      />
    </>
  );
}
