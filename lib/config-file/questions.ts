import { AppError } from '../errors.ts';
import type { ConfigQuestion } from './server-config.ts';
import type { ErrorWords } from '../types/error.ts';
import { soundsSecret } from '../types/names.ts';
import { t } from '../../locales/texts/errors.ts';
import { listOf, recordOf } from '../json.ts';

/** More than a user would answer at once. */
const MOST = 200;

/** What editors fill in (VS Code's variables reference) and Portside, which has no folder open, can't. */
const EDITOR_VARIABLE =
  /^(workspaceFolder|workspaceFolderBasename|workspaceRoot|userHome|cwd|execPath|pathSeparator|file|fileBasename|fileDirname|relativeFile|defaultBuildTask|lineNumber|selectedText|__dirname)$/;

const VARIABLE = /\$\{([^{}]*)\}/g;
/** The whole value, as Gemini CLI has it. In a program's arguments a dollar sign may mean anything. */
const BARE_VARIABLE = /^((?:Bearer )?)\$([A-Z_][A-Z0-9_]*)$/;

/** Where a text stands: header values are secret, whatever they are called. */
export type TextLocation = 'header' | 'env' | 'other';

/**
 * Collects what a file leaves open: `${env:NAME}`, `${NAME}` and `${NAME:-default}` (Claude Code), `$NAME` (Gemini CLI),
 * `${input:id}` (VS Code).
 * @param inputs VS Code's definitions of its inputs, as they came
 */
export function createQuestions(inputs: unknown) {
  const defined = definitions(inputs);
  const asked = new Map<string, ConfigQuestion>();

  function addQuestion(question: ConfigQuestion): string {
    const before = asked.get(question.id);
    asked.set(question.id, { ...question, ...before, secret: question.secret || before?.secret === true });
    if (asked.size > MOST) {
      throw badConfig(t(($) => $.errors.configFile.tooManyQuestions, { most: MOST }));
    }
    return `\${${question.id}}`;
  }

  /** The question that a variable stands for; null when the user can't be asked for it. */
  function questionOf(variable: string, place: TextLocation): ConfigQuestion | null {
    const input = /^input:(.+)$/.exec(variable)?.[1];
    if (input !== undefined) {
      const secret = place !== 'other' || soundsSecret(input);
      return defined.get(input) ?? { id: `input:${input}`, label: input, secret };
    }
    const match = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/s.exec(variable);
    const [, name = '', preset] = match ?? [];
    if (!match || (!variable.startsWith('env:') && EDITOR_VARIABLE.test(name))) return null;
    const secret = place === 'header' || soundsSecret(name);
    return { id: `env:${name}`, label: name, secret, ...(preset !== undefined && { default: preset }) };
  }

  return {
    /** The text with every variable that the user can be asked for as `${id}`, and the other variables. */
    ask(text: string, place: TextLocation): { text: string; unknown: string[] } {
      const unknown: string[] = [];
      const whole = place === 'other' ? text : text.replace(BARE_VARIABLE, '$1${env:$2}');
      const filled = whole.replace(VARIABLE, (written, variable: string) => {
        const question = questionOf(variable, place);
        if (!question) unknown.push(written);
        return question ? addQuestion(question) : written;
      });
      return { text: filled, unknown };
    },
    all: (): ConfigQuestion[] => [...asked.values()].map(withoutOwnSecret),
  };
}

export type Questions = ReturnType<typeof createQuestions>;

/** What the file gives would be hidden as if the user had answered it. An empty default only says that none is needed. */
function withoutOwnSecret(question: ConfigQuestion): ConfigQuestion {
  const { default: preset, ...rest } = question;
  return question.secret && preset !== '' ? rest : question;
}

/** https://code.visualstudio.com/docs/copilot/reference/mcp-configuration#_input-variables-for-sensitive-data */
function definitions(inputs: unknown): Map<string, ConfigQuestion> {
  const defined = new Map<string, ConfigQuestion>();
  for (const input of listOf(inputs)) {
    const { id, description, password, default: preset, options } = recordOf(input);
    if (typeof id !== 'string') continue;
    const values = Array.isArray(options) ? options.map(optionValue).filter((value) => value !== null) : [];
    defined.set(id, {
      id: `input:${id}`,
      label: typeof description === 'string' && description.trim() !== '' ? description : id,
      secret: password === true && values.length === 0, // what the file lists is none
      ...(typeof preset === 'string' && { default: preset }),
      ...(values.length > 0 && { options: values }),
    });
  }
  return defined;
}

function optionValue(option: unknown): string | null {
  const value = typeof option === 'string' ? option : recordOf(option)['value'];
  return typeof value === 'string' ? value : null;
}

/** That a file can't be used, in these words. */
export const badConfig = (words: ErrorWords): AppError => new AppError({ code: 'bad_config', ...words });
