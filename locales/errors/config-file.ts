// What is wrong with a configuration file, and with the servers in it.

export const entry = {
  unread: (names: string): string => `Left out: ${names}.`,
  sameName: (name: string): string => `Another in this is called “${name}” too: the number is Portside’s.`,
  off: 'The file has it switched off.',
  unreached: 'It has neither a command nor an address.',
  noArguments: 'Its arguments are not a list of texts.',
  folder: (folder: string): string => `Left out: its working directory, ${folder}.`,
  relativeFolder: (folder: string): string =>
    `Left out: its working directory, ${folder}, which is not a whole path. Without one it starts in your home folder.`,
  noAddress: 'Its address is missing.',
  badAddress: 'Its address is not one that starts with https:// or http://.',
  password: 'Its address contains a user name or a password, which a browser does not send: use a header.',
  secret: (names: string): string =>
    `Its address contains what looks like a secret (${names}), and addresses are shown: use a header if the server takes one.`,
  standIn: 'Server',
  unknown: (names: string): string =>
    `Portside can’t fill in ${names}: change that once the server is added.`,
  unfit: (field: string, names: string): string => `Left out of its ${field}: ${names}.`,
  unsent: (names: string): string =>
    `Left out of its headers: ${names}. A browser sets these itself or never sends them.`,
  noValues: (field: string): string => `Left out: its ${field}, which are not values by name.`,
  more: (shown: string, more: number): string => `${shown} and ${more} more`,
  headers: 'headers',
  environment: 'environment',
};

export const tooManyQuestions = (most: number) => ({
  message: `More than ${most} values are left open in it.`,
  fix: 'Paste only the servers that you want to add.',
});

export const noServers = {
  message: 'There are no servers in this.',
  fix: 'Portside looks for “mcpServers” or “servers”, or for one server with a “command” or a “url”.',
};

export const tooManyServers = (count: number, most: number) => ({
  message: `There are ${count.toLocaleString('en')} servers in this, and Portside takes up to ${most} at once.`,
  fix: 'Paste only those that you want to add.',
});

export const exported = {
  secret: (key: string, name: string): string => `${key} of ${name}`,
  clientSecret: 'OAuth client secret',
};
