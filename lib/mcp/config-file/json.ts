import { getNodeValue, parseTree, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { AppError } from '../../errors.ts';

/** Characters. The largest settings file that people keep is far below. */
const MOST = 2_000_000;

/** What is wrong, by the parser's names. */
const words: Record<string, string> = {
  InvalidSymbol: 'a word that needs quotes',
  InvalidNumberFormat: 'a number that is none',
  PropertyNameExpected: 'a name in quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing } is missing',
  CloseBracketExpected: 'a closing ] is missing',
  EndOfFileExpected: 'something follows after the end',
  InvalidCommentToken: 'a comment that is none',
  UnexpectedEndOfComment: 'a comment does not end',
  UnexpectedEndOfString: 'a closing quote is missing',
  UnexpectedEndOfNumber: 'a number is not complete',
  InvalidUnicode: 'a character’s code is not complete',
  InvalidEscapeCharacter: 'a backslash before a character that needs none; write a backslash itself as \\\\',
  InvalidCharacter: 'a character that must not stand in a text',
};

/**
 * The value of a JSON text; comments and trailing commas are fine, and so are the insides of an object, as READMEs
 * often show them. Its objects have no prototype.
 * @throws AppError `bad_config` that says where it breaks off
 */
export function parseConfig(text: string): unknown {
  if (text.length > MOST) {
    throw badConfig(
      `This is longer than ${MOST.toLocaleString('en')} characters.`,
      'Paste only the part with the servers.',
    );
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
    throw badConfig('This is nested too deeply.', 'Paste only the part with the servers.');
  }
  const [first] = errors;
  if (first) throw notJson(source, first.offset - (isInside ? 1 : 0), printParseErrorCode(first.error));
  return value;
}

function notJson(source: string, offset: number, code: string): AppError {
  const before = source.slice(0, offset).split('\n');
  const column = (before.at(-1)?.length ?? 0) + 1;
  return badConfig(
    `This is not JSON: in line ${before.length}, column ${column}, ${words[code] ?? code}.`,
    'Correct it there, or paste the file whole.',
  );
}

export const badConfig = (message: string, fix: string): AppError =>
  new AppError({ code: 'bad_config', message, fix });
