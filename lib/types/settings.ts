import type { LanguageChoice } from './languages.ts';
import type { StarterChoice, StarterId } from './starter.ts';
import type { TierPermissions } from './tools/tier.ts';

/** How long secrets stay unlocked after the passphrase was entered; `session`: until the browser is closed. */
export type LockAfter = '15min' | '1h' | '8h' | 'session';

export type Settings = {
  /** The system prompt of chats that have none of their own (lib/agent/context/system-prompt.ts). */
  system: string;
  /** What the user made of the starters; `{}` of one that is as it came. */
  starters: Partial<Record<StarterId, StarterChoice>>;
  maxIterations: number;
  language: LanguageChoice;
  theme: 'system' | 'light' | 'dark';
  textSize: 'small' | 'normal' | 'large' | 'larger';
  /** Off: Enter starts a new line and Ctrl+Enter sends. */
  enterSends: boolean;
  /** What Enter does while a run is live: the message waits for its end, or ends it. */
  whileLive: 'queue' | 'now';
  /** What becomes of a question from the context menu or a shortcut: it is asked, or waits in the composer. */
  atEntry: 'ask' | 'fill';
  /** A shortcut opens a small box for a question at what is selected in a page. */
  askBox: boolean;
  /** Which chat a panel opens with and shows: the same one everywhere, or one for each window or tab. */
  panelScope: 'all' | 'window' | 'tab';
  /** The model is asked for a title after its first answer. */
  makeTitles: boolean;
  /** Small pictures of the page before and after an action are kept with its call, for the user. */
  actionPictures: boolean;
  /** The browser shows a notification when a chat that no panel shows needs an answer or ends. */
  notify: boolean;
  /** The user's notes go along in all chats. */
  memory: boolean;
  /** No schedule begins a run. */
  schedulesPaused: boolean;
  /** For tools that have no permission of their own (lib/trust/tool-permission.ts). */
  tierPermissions: TierPermissions;
  /** Hosts, one in a line, on whose pages, and those of hosts below them, nothing is done. */
  blockedSites: string;
  /** Above this many, or this share of the context in percent, tools are found by search instead of being sent. */
  maxTools: number;
  maxToolShare: number;
  /** Calls whose arguments and results the tool log keeps. What a chat shows of older ones is what its model read. */
  maxLoggedCalls: number;
  lockAfter: LockAfter;
  /** Where servers are looked for, without the path of its API. */
  registryUrl: string;
  /** Hints that were shown: each is shown once. */
  seenHints: HintId[];
};

export const HINTS = ['contextMenu', 'shortcut', 'keyword'] as const;
export type HintId = (typeof HINTS)[number];

type SettingInParts = 'tierPermissions' | 'starters';

/** Settings that are changed, of the tiers' permissions and of the starters some too. */
export type SettingsChange = Partial<Omit<Settings, SettingInParts>> & {
  [Name in SettingInParts]?: Partial<Settings[Name]>;
};

export type NumberSetting = { [K in keyof Settings]: Settings[K] extends number ? K : never }[keyof Settings];

/** Characters of the hosts in the settings. */
export const LONGEST_SITES = 20_000;

/** Characters of the system prompt in the settings. */
export const LONGEST_SYSTEM = 20_000;

/** Steps of a run, unless the user chose another number: a purchase over two tabs takes about fifteen. */
export const USUAL_ITERATIONS = 25;

export const SETTING_LIMITS: Record<NumberSetting, readonly [lowest: number, highest: number]> = {
  maxIterations: [1, 50],
  maxTools: [1, 1000],
  maxToolShare: [1, 90],
  maxLoggedCalls: [100, 100_000],
};
