// Why a program on this computer can't be used, and what to do then.

export const missing = {
  message: 'Portside’s native host, which starts programs on this computer, does not answer.',
  fix: 'Settings, under Servers, shows how to install it.',
};

export const notAllowed = {
  message: 'The browser has not allowed Portside to start programs on this computer yet.',
  fix: 'Allow it in Settings, under Servers.',
};

export const waiting = {
  message: 'You allowed Portside to start programs, and the browser is about to put that into effect.',
  fix: 'It does so once Portside had nothing to do for half a minute. Restarting the browser does it at once.',
};

export const silent = 'It was started, and said nothing.';

export const noNode = (path: string): string => `Node is no longer at ${path}.`;

export const outdated = (version: string, isOld: boolean) => ({
  message: `The native host is version ${version}, which is too ${isOld ? 'old' : 'new'} for this Portside.`,
  fix: isOld ? 'Update the native host: run its install command again.' : 'Update Portside.',
});

export const failed = (why = 'it ended') => ({ message: 'The native host could not do that.', cause: why });

export const ended = (name: string, how: string, cause: string) => ({
  message: `${name} ended by itself${how === '' ? '' : `, with ${how}`}.`,
  ...(cause !== '' && { cause }),
  fix: 'Try its command in a terminal, then reconnect.',
});

export const exitCode = (code: number): string => `code ${code}`;

export const unread = 'what it was sent unread';

export const hostEnded = 'the native host';

export const launchChanged = {
  message: 'What this server starts has changed since it was shown.',
  fix: 'Look at it again, then allow it.',
};
