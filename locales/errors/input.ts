// What is wrong with what the person entered.

const grouped = (count: number): string => count.toLocaleString('en');

const secrets = { key: 'key', headers: 'headers', clientSecret: 'client secret' };

export const required = (field: string) => ({ message: `${field} is required.` });

export const noAddress = (field: string) => ({
  message: `${field} is not a web address.`,
  fix: 'Start the address with https:// or http://.',
});

export const password = (field: string) => ({
  message: `${field} contains a user name or a password, which the browser does not send.`,
  fix: 'Take it out of the address; a server can get it in a header instead.',
});

export const headers = { message: 'Headers are malformed.' };

export const header = (what: string) => ({
  message: `${what.replace('the', 'The')}.`,
  fix: 'Take it out, or correct it.',
});

export const timeout = (most: number) => ({
  message: `Tool timeout must be a whole number of milliseconds from 1 to ${most}.`,
});

export const otherAddress = (secret: keyof typeof secrets, before: string, after: string) => ({
  message: `The stored ${secrets[secret]} ${secret === 'headers' ? 'belong' : 'belongs'} to ${before}, not to ${after}.`,
  fix: `Enter the ${secrets[secret]} for ${after}, or remove the stored ${secret === 'headers' ? 'ones' : 'one'}.`,
});

export const otherPlace = (reference: string) => ({
  message: `What ${reference} stands for was given for another program or address.`,
  fix: 'Write the value itself, or import the file again.',
});

export const longAttachment = (title: string, length: number, most: number) => ({
  message: `${title} is too long to attach.`,
  cause: `It has ${grouped(length)} characters; Portside attaches up to ${grouped(most)}.`,
  fix: 'Attach a part of it, or have a tool look into it.',
});

export const largePictures = (bytes: number, most: number) => ({
  message: 'The pictures are too large to attach.',
  cause: `Together they have ${grouped(bytes)} bytes; a message takes ${grouped(most)}.`,
  fix: 'Take another picture out, or attach a smaller one.',
});

export const promptArguments = { message: 'The arguments of the prompt are malformed.' };

export const page = { message: 'It is not said which part of which page is wanted.' };

export const fields = {
  chat: 'Chat',
  address: 'Address',
  name: 'Name',
  id: 'Id',
  model: 'Model',
  baseUrl: 'Base URL',
  title: 'Title',
  url: 'URL',
  clientId: 'Client ID',
  command: 'Command',
};

export const format = { message: 'This format is not known.' };

/** By the names of the settings of a chat and the traits of a model. */
export const traits = (efforts: readonly string[], tokens: readonly number[]) => ({
  temperature: 'Temperature must be a number from 0 to 2.',
  maxTokens: 'Max tokens must be a whole number of at least 1.',
  reasoningEffort: `Reasoning effort must be one of ${efforts.join(', ')}.`,
  contextWindow: `Context window must be a whole number of tokens from ${tokens.join(' to ')}.`,
  maxOutput: `Maximum output must be a whole number of tokens from ${tokens.join(' to ')}.`,
  price: 'A price must be US dollars for a million tokens in and out.',
});

export const settings = 'The settings of the chat are malformed.';

export const toolChoice = { message: 'The choice of tools is malformed.' };

export const modelChoice = { message: 'The choice of a model is malformed.' };

export const badTraits = 'What is said of the model is malformed.';

export const preset = { message: 'This kind of provider is not known.' };

export const ofServer = (name: string, why: string): string => `${name}: ${why}`;

export const servers = { message: 'The servers are malformed.' };

export const listPlace = { message: 'The place to list from is malformed.' };

export const longTitle = (most: number) => ({
  message: `A title has at most ${most} characters.`,
  fix: 'Shorten it.',
});

export const longName = (most: number) => ({ message: `A name has at most ${most} characters.` });

export const noText = { message: 'Text is required.' };

export const longText = (most: number) => ({
  message: `The text has more than ${most.toLocaleString('en')} characters.`,
  fix: 'Make it shorter.',
});

export const nameTaken = (name: string) => ({
  message: `There is a prompt named “${name}” already.`,
  fix: 'Give this one another name.',
});

export const searchText = { message: 'What is searched for is no text.' };

export const searchPlace = { message: 'The place to search from is malformed.' };

export const transport = {
  message: 'This transport is not known.',
  fix: 'Choose Streamable HTTP, SSE or stdio.',
};

export const clientSecret = { message: 'The client secret is malformed.' };

export const programArguments = { message: 'The arguments are malformed.' };

export const relativeFolder = {
  message: 'Working directory is not a whole path.',
  fix: 'Give it from the top on, as in /home/you/project or C:\\project.',
};

export const environment = { message: 'The environment is malformed.' };

export const variable = (name: string) => ({
  message: `The environment variable “${name}” has a name or a value that no program can get.`,
});
