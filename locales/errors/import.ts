// Why a file of chats or settings can’t be read, or one not be written.

export const exportChanged = {
  message: 'A chat was deleted while it was exported.',
  fix: 'Export once more.',
};

export const theChat = 'the chat';

/** Stands as the name of a picture that a file has none for. */
export const picture = (place: number): string => `Picture ${place}`;

export const twoOfOneId = 'This file can’t be imported: two of its messages have the same id.';

export const noLeaf =
  'This file can’t be imported: the message with which the chat ends is missing (conversation.leafId).';

export const noCall = (index: number): string =>
  `This file can’t be imported: no message asks for its tool call number ${index + 1} (toolCalls[${index}]).`;

export const noPlace = (index: number): string =>
  `This file can’t be imported: its message number ${index + 1} follows none that the chat has (messages[${index}]).`;

export const noKeepsFrom = (index: number): string =>
  `This file can’t be imported: the message where its summary ends is missing (messages[${index}].keepsFrom).`;

export const chooseExport = 'Choose a file that Portside has exported.';

export const misfit = (where: string, wanted: string): string =>
  `This file can’t be imported: ${where} is not ${wanted}.`;

/** What there should be. */
export const shapes = {
  text: (least: number, most: number): string =>
    most === Infinity ? 'a text' : `a text of ${least} to ${most.toLocaleString('en')} characters`,
  number: (isWhole: boolean, least: number, most: number): string =>
    `a ${isWhole ? 'whole ' : ''}number from ${least}${most === Infinity ? '' : ` to ${most}`}`,
  oneOf: (values: string[]): string => `one of ${values.join(', ')}`,
  list: (most: number): string => (most === Infinity ? 'a list' : `a list of at most ${most}`),
  truth: 'true or false',
  time: 'a date and time',
  object: 'an object',
};

export const at = (where: string, why: string): string => `This file can’t be imported: ${where}: ${why}`;

export const theFile = 'the file';

export const notJson = (why: string): string => `This file can’t be imported: it is not JSON. ${why}`;

export const badServer = (name: string, why: string): string =>
  `This file can’t be imported: the server “${name}”: ${why}`;

export const theServer = (name: string): string => `the server “${name}”`;
