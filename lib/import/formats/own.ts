import { list, record } from '../fields.ts';
import type { Importer } from '../importer.ts';

/** A file of Portside's own chats. Whether each is as it should be is for the worker to say. */
export const portside: Importer = {
  at: ['chats.*'],
  knows: (value) => 'conversation' in record(value),
  read: (value) => value,
};

/** The project of such a file, before its chats. */
export const portsideProject: Importer = {
  at: ['project'],
  knows: (value) => 'key' in record(value) && 'words' in record(value),
  read: (value) => ({ project: value }),
};

/** As the OpenAI API takes them. */
const isMessages = (value: unknown): boolean =>
  list(value).length > 0 && list(value).every((each) => typeof record(each)['role'] === 'string');

/** Messages as the OpenAI API takes them, alone or with a title. */
export const openAiMessages: Importer = {
  at: ['*', 'chats.*'],
  knows: (value) => isMessages(value) || isMessages(record(value)['messages']),
  read: (value) => (Array.isArray(value) ? { messages: value } : value),
};
