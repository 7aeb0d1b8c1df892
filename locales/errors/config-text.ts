// Why the text of a configuration file can't be read.

/** By the names that the parser jsonc-parser has for them. */
export const faults = {
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

export const tooLong = (most: number) => ({
  message: `This is longer than ${most.toLocaleString('en')} characters.`,
  fix: 'Paste only the part with the servers.',
});

export const tooDeep = {
  message: 'This is nested too deeply.',
  fix: 'Paste only the part with the servers.',
};

export const notJson = (line: number, column: number, what: string) => ({
  message: `This is not JSON: in line ${line}, column ${column}, ${what}.`,
  fix: 'Correct it there, or paste the file whole.',
});
