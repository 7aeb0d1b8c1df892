// Why what the person set up, or wants to use of it, can’t be used, and what to do then.

export const nobodyThere = {
  message: 'The server asked something, and the page on which it could be answered was closed.',
  fix: 'Make the call again and leave the page open.',
};

export const noProvider = { message: 'This provider no longer exists.' };

export const noLevel = { message: 'This level is not known.' };

export const resourceTooLarge = (most: number) => ({
  message: 'This resource is too large to be shown.',
  cause: `It takes more than ${most.toLocaleString('en')} characters.`,
  fix: 'Have a tool of the server read a part of it.',
});

export const noTool = {
  message: 'This tool no longer exists.',
  fix: 'Reconnect its server to have its tools listed again.',
};

export const blocked = (name: string) => ({
  message: `${name} is blocked.`,
  fix: 'Choose Ask or Allow for it, then call it again.',
});

export const closedMeanwhile = 'Portside was closed before the call ended.';

export const badCallId = { message: 'The id of the call is malformed.' };

export const badArguments = { message: 'The arguments must be a JSON object.' };

export const madeBefore = { message: 'This call was made before.' };

export const notGranted = (host: string) => ({
  message: `The browser does not let Portside contact ${host}.`,
  fix: 'Open Settings, press Save there again and choose Allow.',
});

export const notRevoked = {
  message: 'The browser kept this access.',
  fix: 'Take it back on the browser’s own page of extensions, under Portside.',
};

export const noGrant = { message: 'This names no grant.' };

export const notErasable = { message: 'This can’t be erased.' };

export const definitionChanged = (name: string) => ({
  message: `${name} was not allowed: its server has changed what the tool is since you were asked.`,
  fix: 'Look at the tool again the next time it asks, and decide then.',
});

export const serverOff = (name: string) => ({
  message: `The server ${name} is switched off.`,
  fix: 'Switch it on in Settings, under Servers.',
});

export const noServer = {
  message: 'This server was removed.',
  fix: 'Add it again in Settings, under Servers, if it is still needed.',
};

export const toBeSeen = (name: string) => ({
  message: `${name} starts a program on this computer, which you have not allowed yet.`,
  fix: 'Look at what it starts in Settings, under Servers, and allow it there.',
});
