// Why an MCP server could not be reached or did not do what it was asked, and what to do then.

export const timedOut = (name: string, address: string, ms: number) => ({
  message: `${name} did not answer within ${ms / 1000} s.`,
  fix: `Check that the server at ${address} is not stuck, then reconnect.`,
});

export const signIn = (name: string, scope: string | undefined) => ({
  message: `${name} wants you to sign in${scope === undefined ? '' : ' again, for more than you allowed so far'}.`,
  fix: 'Choose Sign in next to the server in Settings.',
});

export const unreachable = (name: string, address: string) => ({
  message: `${name} could not be reached.`,
  fix: `Check that the server is running at ${address} and that Portside may use that address, then reconnect.`,
});

export const redirected = (name: string, address: string, to: string | undefined) => ({
  message: `${name} has moved${to === undefined ? '' : ` to ${to}`}.`,
  cause: `${address} answered with a redirect.`,
  fix:
    to === undefined
      ? 'Find out where the server moved to and change the address in its settings.'
      : `If you trust that place, change the address to ${to} in the server’s settings.`,
});

export const tooLarge = (name: string) => ({
  message: `${name} answers with more than Portside can take in.`,
  fix: 'Look at what the server lists: something in it is far too large.',
});

export const notFound = (name: string, address: string, other: string) => ({
  message: `${name} has no MCP endpoint at ${address}.`,
  fix: `Check the path of the address (often /mcp, or /sse for SSE), or try the transport ${other}.`,
});

export const failing = (name: string, answer: string) => ({
  message: `${name} has a fault of its own: it answered with ${answer}.`,
  fix: 'Look at the server’s log, then reconnect.',
});

const wait = (seconds: number): string => {
  if (seconds <= 90) return `${seconds} s`;
  if (seconds > 86_400) return 'more than a day';
  return seconds < 3600 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 360) / 10} h`;
};

export const busy = (name: string, status: number, waitMs: number | undefined) => ({
  message: `${name} ${status === 503 ? 'can’t answer' : 'is limiting requests'} for now: it answered with HTTP ${status}.`,
  fix:
    waitMs === 0
      ? 'Reconnect now.'
      : `Wait ${waitMs === undefined ? 'a little' : wait(Math.ceil(waitMs / 1000))}, then reconnect.`,
});

export const anError = 'an error';

export const unauthorized = (name: string, status: 401 | 403) => ({
  message:
    status === 401
      ? `${name} asks for credentials that Portside did not send, or does not accept them.`
      : `${name} refused access.`,
  fix: 'Check the headers in the server’s settings, such as Authorization, then reconnect.',
});

export const noAnswer = 'No answer';

export const notMcp = (name: string, address: string) => ({
  message: `${name} does not speak MCP at ${address}.`,
  fix: 'Check the address and the transport in the server’s settings: it must be the MCP endpoint, not a web page.',
});

export const sentTooMuch = (megabytes: number): string =>
  `The server sent more than ${megabytes} MB at once.`;

export const prompt = (name: string): string => `the prompt “${name}”`;

export const resource = (uri: string): string => `the resource ${uri}`;

export const refused = (name: string, what: string) => ({
  message: `${name} did not give ${what}.`,
  fix: 'Check what you entered; the server may also no longer have it.',
});

export const completion = 'what could stand there';

const farewells = {
  switched_off: { did: 'switched off', fix: 'Switch the server on again to use it.' },
  removed: { did: 'removed', fix: 'Add the server again to use it.' },
  reconnected: { did: 'reconnected', fix: 'Try again.' },
  disconnected: { did: 'disconnected', fix: 'Try again once the server is connected.' },
};

export const disconnected = (name: string, why: keyof typeof farewells = 'disconnected') => ({
  message: `${name} was ${farewells[why].did}.`,
  fix: farewells[why].fix,
});

export const notConnected = {
  message: 'This server is not connected.',
  fix: 'Connect it in Settings, then try again.',
};

export const noConnection = (origin: string) => ({
  message: `No connection is left for another SSE server at ${origin}.`,
  cause: 'Browsers open six connections to one http address, and each SSE server keeps one of them open.',
  fix: 'Switch off one of the others, or change those that can to Streamable HTTP, then reconnect.',
});

export const redirect = 'The server answered with a redirect.';

export const sessionForgotten = 'The server has forgotten the session.';

export const refusedMeanwhile = (name: string, count: number, why: string): string =>
  count === 1
    ? `[Portside refused something that ${name} asked for meanwhile: ${why}]`
    : `[Portside refused ${count} things that ${name} asked for meanwhile, the first for this reason: ${why}]`;

export const tooManyAsked = (most: number): string => `More than ${most} questions waited for an answer.`;

export const refusedTooOften = (count: number, why: string): string =>
  `Portside refused ${count} of its questions, the last for this reason: ${why}`;

/** Of a list of faults those that are told, and how many are not. */
export const amongOthers = (told: string, others: number): string =>
  others > 0 ? `${told}; and ${others} more` : told;

/** What is wrong with a result. */
export const noObject = 'not an object';

export const noReply = 'The reply stream ended without a reply.';

export const log = {
  counted: (count: number, what: string): string => `result, ${count} ${what}${count === 1 ? '' : 's'}`,
  outOfDate: 'What was remembered of the server is no longer true.',
  notKept: (why: string): string => `What is known of the server could not be kept: ${why}`,
  notListed: (seconds: number): string => `Prompts and resources were not listed within ${seconds} s.`,
  notReadAgain: (why: string): string => `The lists could not be read again: ${why}`,
  keptLevel: (level: string): string =>
    `The server keeps the level ${level} until it is reconnected: its protocol can’t take a level back.`,
  refused: (why: string): string => `Nobody was asked what the server wants to know: ${why}`,
  answer: 'the answer',
  failed: (method: string, why: string): string => `${method} failed: ${why}`,
  error: (code: number, why: string): string => `error ${code}: ${why}`,
  asksForInput: 'result, asks for input',
  reportsError: 'result, the tool reports an error',
  result: 'result',
  resultOf: (method: string): string => `result of ${method}`,
};

export const badSettings = (name: string, what: string) => ({
  message: `${name} cannot be used with these settings: ${what}.`,
});

export const settings = {
  correct: 'Correct it in the server’s settings.',
  notHttp: 'the address is not an http or https URL',
  password: {
    what: 'the address contains a user name or a password',
    fix: 'Take it out of the address and put it into a header, such as Authorization, in the server’s settings.',
  },
  header: (name: string): string => `the header “${name}” has a name or a value that HTTP does not allow`,
  forbiddenHeader: (name: string): string =>
    `the header “${name}” is one that a browser sets itself or never sends`,
};
