import { recordOf } from '../json.ts';

/** As VS Code's configuration file defines what it asks for. */
type ConfigInput = {
  id: string;
  type: 'promptString' | 'pickString';
  description: string;
  password?: true;
  default?: string;
  options?: string[];
};

const LONGEST = 300;
const MOST_OPTIONS = 100;

/** Collects what a registry's entry leaves to the user (`Input` of its API). */
export function createInputs() {
  const asked = new Map<string, ConfigInput>();

  function ask(input: Record<string, unknown>, name: string): string {
    const { description, isRequired, isSecret, default: preset, choices, format } = input;
    const id = idOf(name);
    const told = typeof description === 'string' ? description.replace(/\s+/g, ' ').trim() : '';
    const listed = format === 'boolean' && !Array.isArray(choices) ? ['true', 'false'] : choices;
    const options = Array.isArray(listed)
      ? listed.filter((each) => typeof each === 'string').slice(0, MOST_OPTIONS)
      : [];
    // An empty answer says that none is needed.
    const usual = typeof preset === 'string' ? preset : isRequired === true ? undefined : '';
    asked.set(id, {
      id,
      type: options.length > 0 ? 'pickString' : 'promptString',
      description: told === '' ? name : `${name}: ${told}`.slice(0, LONGEST),
      ...(isSecret === true && { password: true }),
      ...(usual !== undefined && { default: usual }),
      ...(options.length > 0 && { options }),
    });
    return `\${input:${id}}`;
  }

  /** Each its own, also where two are called alike. */
  function idOf(name: string): string {
    const plain = name.replace(/[^\w.-]+/g, '_').replace(/^-+/, '') || 'value';
    for (let count = 1; ; count++) {
      const id = count === 1 ? plain : `${plain}-${count}`;
      if (!asked.has(id)) return id;
    }
  }

  const fill = (template: string, variables: Record<string, unknown>): string => {
    const references = new Map<string, string>();
    return template.replace(/\{([\w.-]+)\}/g, (written, name: string) => {
      if (!Object.hasOwn(variables, name)) return written;
      const known = references.get(name) ?? ask(recordOf(variables[name]), name);
      references.set(name, known);
      return known;
    });
  };

  return {
    /** A text with each `{variable}` that is defined as what the user is asked for; any other stays. */
    fill,
    /** What an argument, a header or a variable is set to: its own value, or what the user is asked for. */
    valueOf(input: Record<string, unknown>, name: string): string {
      const { value, variables } = input;
      return typeof value === 'string' ? fill(value, recordOf(variables)) : ask(input, name);
    },
    all: (): ConfigInput[] => [...asked.values()],
  };
}

export type Inputs = ReturnType<typeof createInputs>;
