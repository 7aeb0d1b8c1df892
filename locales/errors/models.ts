// Why a model did not answer, or not as it was asked to, and what to do then.

const left = {
  tools: 'tools',
  pictures: 'pictures',
  temperature: 'the temperature',
  length: 'the limit of the answer’s length',
  effort: 'the reasoning effort',
};

export const badUrl = (host: string) => ({
  message: `“${host}” is not an address that a model can be reached at.`,
  fix: 'Enter a base URL that begins with http:// or https://, such as http://127.0.0.1:11434/v1, and put no password in it.',
});

export const badKey = (host: string) => ({
  message: `The API key for ${host} contains characters that can’t be sent.`,
  fix: 'Copy the key again and enter it in Settings, Models.',
});

export const unreachable = (host: string) => ({
  message: `Portside could not reach ${host}.`,
  fix: 'Check your connection, that the model server is running, and the base URL in Settings, Models.',
});

export const notRunning = (host: string, name = 'The model server') => ({
  message: `${name} isn’t running at ${host}.`,
  fix: 'Start it, then press Retry.',
});

export const redirect = (host: string) => ({
  message: `${host} redirects to another address, which Portside does not follow: your messages and key go nowhere else.`,
  fix: 'Enter the address that it leads to as the base URL in Settings, Models, if you trust it; https:// in place of http:// is often enough.',
});

export const notAModel = (host: string) => ({
  message: `${host} answered, but not as a chat model does.`,
  fix: 'Check the base URL in Settings, Models; it usually ends in /v1.',
});

export const otherApi = (host: string) => ({
  message: `${host} answered in an API that Portside does not speak.`,
  fix: 'Enter the base URL of its OpenAI-compatible API in Settings, Models; it usually ends in /v1.',
});

export const failedMidway = (host: string) => ({
  message: `${host} reported an error while it was answering.`,
  fix: 'Try again; if it keeps happening, choose another model.',
});

export const badCall = (host: string) => ({
  message: `The model at ${host} wrote a tool call that its server could not read.`,
  fix: 'Try again; if it keeps happening, choose another model or switch some tools off.',
});

export const tooManyCalls = (host: string, limit: number) => ({
  message: `The model at ${host} wanted more than ${limit} tool calls at once, so none was made.`,
  fix: 'Ask for less at a time, or choose another model.',
});

export const incomplete = (host: string) => ({
  message: `The answer from ${host} broke off before it was finished.`,
  fix: 'Try again.',
});

export const timeout = (host: string, ms: number) => ({
  message: `${host} sent nothing of an answer for ${ms / 1000} s, so Portside stopped waiting.`,
  fix: 'Try again; if the model is slow to load, wait until it is ready.',
});

export const stopped = (host: string) => ({ message: `The request to ${host} was stopped.` });

export const empty = (host: string) => ({
  message: `The model at ${host} gave an empty answer.`,
  fix: 'Try again, or choose another model.',
});

export const outputLimit = (host: string) => ({
  message: `The model at ${host} reached its output limit before it said anything.`,
  fix: 'Ask for something shorter, or raise the model’s output limit.',
});

export const filtered = (host: string) => ({
  message: `The content filter of ${host} withheld the answer.`,
  fix: 'Put the question differently, or choose another model.',
});

export const onlyThought = (host: string) => ({
  message: `The model at ${host} thought, but did not answer.`,
  fix: 'Try again; if it keeps happening, lower the reasoning effort or choose another model.',
});

export const rejected = (host: string) => ({
  message: `${host} refused the request.`,
  fix: 'See what it said, then try another model or a new conversation.',
});

export const unauthorized = (host: string, hasKey: boolean) => ({
  message: hasKey ? `${host} did not accept the API key.` : `${host} wants an API key.`,
  fix: 'Enter a valid API key for this provider in Settings, Models.',
});

export const payment = (host: string) => ({
  message: `${host} says that the account has no credit left.`,
  fix: 'Waiting does not help: add credit with the provider, or choose another model.',
});

export const forbidden = (host: string, hasDetail: boolean) => ({
  message: `${host} refused access.`,
  fix: hasDetail
    ? 'Check in Settings, Models that the API key may use this model.'
    : 'If this is Ollama, set OLLAMA_ORIGINS=chrome-extension://*,moz-extension://* and restart it; otherwise check the API key in Settings, Models.',
});

export const notFound = (host: string) => ({
  message: `${host} has nothing at this address, or does not have this model.`,
  fix: 'Check the base URL (it usually ends in /v1) and the name of the model in Settings, Models.',
});

export const tooLong = (host: string) => ({
  message: `The conversation is longer than ${host} accepts.`,
  fix: 'Start a new conversation, or choose a model with a larger context.',
});

export const rateLimited = (host: string) => ({
  message: `${host} is limiting how much you may ask.`,
  fix: 'Wait a moment and try again; if it goes on, check your quota with the provider.',
});

export const serverError = (host: string) => ({
  message: `${host} failed to answer.`,
  fix: 'Try again in a moment; if it keeps happening, look at the model server.',
});

/** Other APIs than chat completions. */
export const apis = {
  responses: 'the Responses API of OpenAI',
  anthropic: 'Anthropic’s Messages API',
  gemini: 'Google’s Gemini API',
  ollama: 'Ollama’s own API',
};

/** What came, where the reply itself can’t be quoted. */
export const replies = {
  html: 'an HTML page',
  nothing: 'an empty reply',
  tooMuch: 'one piece of more than 64 MB',
  noEnd: 'the stream ended without finish_reason or [DONE]',
};

/** What was left out of a request that a model refused. */
export const notes = {
  ...left,
  refused: (host: string, what: string, words: string): string =>
    `${host} refused ${what}${words && ` (“${words}”)`}, so this answer was written without ${what === left.tools || what === left.pictures ? 'them' : 'it'}.`,
};

export const unreadableCall = (name: string) => ({
  message: `The model’s call of ${name} could not be read.`,
});
