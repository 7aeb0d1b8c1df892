// What is wrong with what a server lists.

export const headers = {
  whole: 'its arguments as a whole',
  notAllowed: (at: string): string => `it declares one for ${at}, where none is allowed`,
  noName: (at: string): string => `the name it declares for ${at} is not one`,
  wrongType: (at: string): string => `${at} is neither text, a whole number nor true or false`,
  twice: (header: string): string => `it declares “${header}” twice`,
};

export const kinds = {
  prompt: 'A prompt',
  resource: 'A resource',
  template: 'A resource template',
};

export const noKey = (what: string, key: string): string => `${what} was left out: it has no usable ${key}.`;

export const twice = (what: string, id: string): string => `${what} was left out: “${id}” is listed twice.`;

export const noTool = (place: number): string => `Entry ${place} of tools/list was left out: it is no tool.`;

export const unnamed = (shown: string, place: number): string =>
  `${shown || 'tool without a name'} (entry ${place})`;

export const toolTwice = (shown: string): string =>
  `The server lists “${shown}” more than once: only the first is used.`;

export const badName = 'Its name is missing, too long or contains control characters, so it can’t be called.';

export const background = 'It only runs as a background task (MCP 2025-11-25), which Portside does not do.';

export const badHeaders = (problem: string): string =>
  `The headers that it wants with a call can’t be made: ${problem}.`;

export const schema = {
  missing: 'The server gives no JSON schema for its arguments.',
  excess: (weight: string): string => `The schema of its arguments is ${weight}.`,
  noObject: 'The schema of its arguments does not describe an object.',
  broken: (flaw: string): string => `The schema of its arguments is broken: ${flaw}.`,
  top: 'its top',
  noSchema: (here: string): string => `${here} is no schema`,
  noType: (here: string): string => `${here} has a type that there is not`,
  noList: (at: string): string => `“${at}” is no list`,
  noAddress: (at: string): string => `“${at}” is no address`,
  noMap: (at: string): string => `“${at}” does not hold schemas by name`,
  noSchemas: (at: string): string => `“${at}” is no list of schemas`,
  noReference: (to: string): string => `The schema of its arguments refers to “${to}”, which is not in it.`,
  unreadable: (why: string): string => `The schema of its arguments can’t be read: ${why}`,
};

export const noList = (method: string, key: string): string => `${method} was answered without “${key}”.`;

export const loop = (method: string): string =>
  `${method} came back to a page that was there before: the list ends there.`;

export const endless = (method: string, count: number): string =>
  `${method} did not come to an end: the first ${count} entries are used.`;

export const excess = {
  deep: (most: number): string => `more than ${most} levels deep`,
  large: 'too large',
};
