// What the parts of Portside say when they fail or can’t reach each other.

export const unexpected = {
  message: 'Portside ran into a fault of its own.',
  fix: 'Try again. If it keeps happening, report it with its cause.',
};

export const unreachable = {
  message: 'Portside’s worker did not answer.',
  cause: 'The browser ended it in the middle of this, or is replacing Portside by another version.',
  fix: 'Try again; if that does not help, switch the extension off and on.',
};
