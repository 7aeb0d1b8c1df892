import type { ToolsDeps } from '../../entrypoints/background/tools/tools.ts';
import type { OwnToolDeps } from '../../lib/tools/own/own-tool.ts';

const unexpected = async (): Promise<never> => {
  throw new Error('No tab was to be looked at.');
};

/** A browser in which no tab is open, at a fixed time. */
export const noTabs: OwnToolDeps = {
  read: unexpected,
  ask: unexpected,
  act: unexpected,
  go: unexpected,
  answerDialog: unexpected,
  waitFor: unexpected,
  afterUser: unexpected,
  targetsOf: async () => ({ targets: {}, sites: [] }),
  fetch: unexpected,
  originOf: async () => undefined,
  list: async () => [],
  open: unexpected,
  show: unexpected,
  remember: unexpected,
  now: () => Date.UTC(2026, 10, 22, 12),
};

/** Pages that offer no tools. */
export const noPageTools: ToolsDeps['pageTools'] = {
  tabsOf: async () => [],
  offer: async () => [],
  find: async () => undefined,
  call: unexpected,
};
