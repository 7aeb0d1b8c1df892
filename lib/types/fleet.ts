import type { Settings } from './settings.ts';

/** Names that alone are allowed, and names that are not: these go first. */
export type Limits = { allowed?: string[]; forbidden?: string[] };

/** What an organisation decided for a browser that it manages, besides what it sets up (docs/fleet.md). */
export type Rules = {
  /** What the user can't change. */
  settings: Partial<Settings>;
  /** Whether the user may have providers and servers besides the organisation's. */
  ownProviders: boolean;
  ownServers: boolean;
  /** Whether chats and settings may go to other computers. */
  sync: boolean;
  /** As `place/tool`; the place is a server of the organisation's, `portside`, `page` or `user`. */
  tools: Limits;
  /** Hosts, with those below them. */
  sites: Limits;
  /** Programs whose files are read. */
  importers: Limits;
  /** What is wrong with the policy. Nothing is allowed then. */
  fault?: string;
};

/** The rules as pages show them. */
export type FleetSummary = Omit<Rules, 'settings'> & { locked: (keyof Settings)[] };

/** Of what an organisation set up (docs/fleet.md): how its policy calls it, and what it says of it, as text. */
export type Managed = { name: string; as: string };
