// Why a chat’s run, its answer or its calls can’t go on, and what to do then.

export const noSummary = {
  message: 'The model wrote no summary of the older part of this chat.',
  fix: 'Try again, or start a new chat.',
};

export const summaryCutOff = {
  message: 'The model’s summary of the older part of this chat broke off before its end.',
  fix: 'Choose a model that reads more, or start a new chat.',
};

export const onlyCalled = {
  message: 'The model called tools instead of answering, though it was given none.',
  fix: 'Switch tool calling on for this model in the options, or choose another model.',
};

/** Ends the answer of a run that has used up its iterations. */
export const limit = (iterations: number): string =>
  `Stopped: the model was asked ${iterations === 1 ? 'once' : `${iterations} times`}, which is the limit. The answer may stop short.`;

export const nothingToSend = {
  message: 'The attachment no longer exists, so there is nothing to send.',
  fix: 'Attach it again, or write something.',
};

export const badArguments = {
  message: 'These arguments do not fit the tool.',
  fix: 'Change them, or deny the call.',
};

export const stalled = {
  message: 'Nothing happened for ten minutes, so it was stopped. What came so far is kept.',
  fix: 'Continue to go on from there.',
};

export const live = {
  message: 'The answer is still being written.',
  fix: 'Wait until it ends or stop it, then try again.',
};

export const nothingToCompact = {
  message: 'There is nothing to summarise in this chat yet.',
  fix: 'Messages before the last question are summarised once it is answered.',
};

export const noMessage = { message: 'This message no longer exists.', fix: 'Choose another one.' };

export const tooManyRequests = (name: string, most: number) => ({
  message: `${name} asks too much at once.`,
  cause: `${most} requests wait for an answer in this chat already.`,
  fix: 'Answer those first.',
});

export const badAnswer = (most: number) => ({
  message: 'This answer can’t be sent to the server.',
  cause: `A form takes texts, numbers and choices, ${most} characters in all.`,
  fix: 'Shorten it, or decline.',
});

export const notRepeatable = {
  blocked: 'Its tool is blocked.',
  unblock: 'Set the tool to Ask or Allow in the settings, then try again.',
  ask: 'Ask the model for it in a message.',
  message: 'This call can’t be run again.',
};

export const noChat = { message: 'This chat no longer exists.', fix: 'Start a new chat.' };

export const notSetUp = {
  message: 'No model is set up yet.',
  fix: 'Open Models and add one; your message is saved. Then press Retry.',
};

export const providerRemoved = {
  message: 'The provider of this chat was removed.',
  fix: 'Choose a model below, then press Retry.',
};

export const tried = (count: number): string => `Tried ${count} times.`;
