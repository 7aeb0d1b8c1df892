import { getNodeValue, parseTree, printParseErrorCode, type ParseError } from 'jsonc-parser';
import type { AppError } from '../errors.ts';
import { badConfig } from './questions.ts';
import { t } from '../../locales/texts/errors.ts';

/** Characters. The largest settings file that people keep is far below. */
const MOST = 2_000_000;

/** What is wrong, by the parser's names. */

/**
 * The value of another program's configuration file; comments and trailing commas are fine, and so are the insides of an
 * object, as READMEs often show them. Its objects have no prototype.
 * @throws AppError `bad_config` that says where it breaks off
 */
export function parseConfig(text: string): unknown {
  if (text.length > MOST) {
    throw badConfig(t(($) => $.errors.configText.tooLong, { most: MOST }));
  }
  const source = text.replace(/^\uFEFF/, '');
  const isInside = /^\s*"/.test(source);
  const errors: ParseError[] = [];
  let value: unknown;
  try {
    const tree = parseTree(isInside ? `{${source}}` : source, errors, { allowTrailingComma: true });
    value = tree && errors.length === 0 ? getNodeValue(tree) : undefined;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw badConfig(t(($) => $.errors.configText.tooDeep));
  }
  const [first] = errors;
  if (first) throw notJson(source, first.offset - (isInside ? 1 : 0), printParseErrorCode(first.error));
  return value;
}

function notJson(source: string, offset: number, code: string): AppError {
  const faults: Record<string, string> = t(($) => $.errors.configText.faults);
  const before = source.slice(0, offset).split('\n');
  const column = (before.at(-1)?.length ?? 0) + 1;
  return badConfig(
    t(($) => $.errors.configText.notJson, {
      line: before.length,
      column,
      what: faults[code] ?? code,
    }),
  );
}
