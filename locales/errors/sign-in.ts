// Why signing in at a server came to nothing, and what to do then.

export const notOffered = 'It does not say where to sign in: it publishes no OAuth metadata.';

export const cancelled = (name: string) => ({
  message: `Signing in at ${name} was not finished: its window was closed or could not be shown.`,
  fix: 'Choose Sign in to try again.',
});

export const notUnderWay = (name: string) => ({
  message: `This sign-in at ${name} is no longer in progress.`,
  cause: 'It was finished before, or began more than ten minutes ago, or the server was changed since.',
  fix: 'Choose Sign in to start again.',
});

export const denied = (name: string, host: string) => ({
  message: `${host} did not let Portside use ${name} for you.`,
  cause: 'Access was denied there (access_denied).',
  fix: 'If you pressed Deny by mistake, choose Sign in again. Otherwise ask whoever runs the server for access.',
});

export const forged = (name: string) => ({
  message: `Signing in at ${name} was stopped: the answer did not come from where Portside had sent you.`,
  cause: 'The answer’s state or issuer is not the expected one, as when one server pretends to be another.',
  fix: 'Do not enter passwords there again. Try once more, and if it keeps happening, tell whoever runs the server.',
});

export const resourceMismatch = (name: string, origin: string) => ({
  message: `Portside did not sign in at ${name}: what it publishes about signing in is for another server.`,
  cause: `Its metadata do not name ${origin} as the resource.`,
  fix: 'Check the server’s address. If it is right, the server is set up wrongly: tell whoever runs it.',
});

export const noPkce = (name: string, host: string) => ({
  message: `Portside did not sign in at ${name}: ${host} does not offer the protection that MCP requires.`,
  cause: 'Its metadata do not list S256 under code_challenge_methods_supported (PKCE).',
  fix: 'Tell whoever runs the server.',
});

export const noRegistration = (name: string, host: string) => ({
  message: `${host}, where ${name} signs people in, does not let Portside register itself.`,
  fix: 'Register an application there by hand, and enter its client ID in the server’s settings.',
});

export const registeredElsewhere = (name: string, before: string, now: string) => ({
  message: `${name} now signs people in at ${now}; the client ID in its settings was for ${before}.`,
  fix: `If you trust ${now} and have a client ID there, enter that one in the server’s settings.`,
});

export const stillRefused = (name: string, scope: string) => ({
  message: `${name} refuses access although you signed in for what it asked.`,
  cause: `It demands “${scope}”.`,
  fix: 'Ask whoever runs the server to allow this for your account, then sign out and in again.',
});

export const notAccepted = (name: string) => ({
  message: `You signed in, but ${name} does not accept that.`,
  cause: 'It answers the new token with HTTP 401.',
  fix: 'Check that the account you used is one for this server. If it is, tell whoever runs the server.',
});

export const unreachable = (name: string) => ({
  message: `Your sign-in at ${name} could not be renewed.`,
  fix: 'Check the network, then reconnect. If that does not help, sign in again.',
});

export const failed = (name: string, unsafe: boolean) => ({
  message: `Signing in at ${name} failed${unsafe ? ': it would not have been safe' : ''}.`,
  fix: unsafe
    ? 'Tell whoever runs the server.'
    : 'Try again. If it keeps happening, tell whoever runs the server what is said here.',
});

export const noWords = 'no further words';

export const notGranted = (origin: string): string => `${origin} is not granted.`;

export const unencrypted = (host: string, scheme: string): string =>
  `${host} would be asked without encryption (${scheme}//).`;

export const redirect = (host: string): string =>
  `${host} answered with a redirect, which Portside does not follow.`;

export const tooMuch = (host: string): string => `${host} answered with more than a megabyte.`;

export const emptyWindow = 'The window gave no answer.';

export const elsewhere = {
  message: 'Another sign-in is under way.',
  fix: 'Finish it, or close its window, then choose Sign in again.',
};

export const changedMeanwhile = {
  message: 'The server was removed, or its address changed, in the meantime.',
  fix: 'Sign in again if it is still there.',
};
