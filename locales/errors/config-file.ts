// What is wrong with a configuration file, and with the servers in it.

export const entry = {
  unread: (names: string): string => `Left out: ${names}.`,
  off: 'The file has it switched off.',
  unreached: 'It has neither a command nor an address.',
  noArguments: 'Its arguments are not a list of texts.',
  folder: (folder: string): string => `Left out: its working directory, ${folder}.`,
  noAddress: 'Its address is missing.',
  badAddress: 'Its address is not one that starts with https:// or http://.',
  password: 'Its address holds a user name or a password, which a browser does not send: use a header.',
  secret: (names: string): string =>
    `Its address holds what looks like a secret (${names}), and addresses are shown: use a header if the server takes one.`,
  standIn: 'Server',
  unknown: (names: string): string =>
    `Portside can’t fill in ${names}: change that once the server is added.`,
  unfit: (field: string, names: string): string => `Left out of its ${field}: ${names}.`,
  unsent: (names: string): string =>
    `Left out of its headers: ${names}. A browser sets these itself or never sends them.`,
  noValues: (field: string): string => `Left out: its ${field}, which are not values by name.`,
  more: (shown: string, more: number): string => `${shown} and ${more} more`,
  headers: 'headers',
  environment: 'environment',
};

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

export const tooManyQuestions = (most: number) => ({
  message: `More than ${most} values are left open in it.`,
  fix: 'Paste only the servers that you want to add.',
});

export const noServers = {
  message: 'There are no servers in this.',
  fix: 'Portside looks for “mcpServers” or “servers”, or for one server with a “command” or a “url”.',
};

export const tooManyServers = (count: number, most: number) => ({
  message: `There are ${count.toLocaleString('en')} servers in this, and Portside takes up to ${most} at once.`,
  fix: 'Paste only those that you want to add.',
});

export const exported = {
  secret: (key: string, name: string): string => `${key} of ${name}`,
  clientSecret: 'OAuth client secret',
};
