// Why a file of chats or settings can’t be read, or one not be written.

export const exportChanged = {
  message: 'A chat was deleted while it was exported.',
  fix: 'Export once more.',
};

export const theChat = 'the chat';

export const twoOfOneId = 'This file can’t be imported: two messages have one id.';

export const noLeaf = 'This file can’t be imported: conversation.leafId names none of its messages.';

export const noCall = (index: number): string =>
  `This file can’t be imported: toolCalls[${index}] is no call of its messages.`;

export const noPlace = (where: string): string =>
  `This file can’t be imported: ${where} stands in no place of the chat.`;

export const noKeepsFrom = (where: string): string =>
  `This file can’t be imported: ${where}.keepsFrom names none of its messages.`;

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
