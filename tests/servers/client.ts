/** What a server lists, entry by entry as a client hands it out. */
export type Seen = { revision: string } & Record<List, object[]>;

export const LISTS = ['tools', 'prompts', 'resources', 'templates'] as const;
export type List = (typeof LISTS)[number];

/** What came of a call. */
export type Called = { content: unknown; isError: boolean; structured?: unknown };

/** The server answered a call with an error in place of a result. */
export const REFUSED: Called = { content: 'refused', isError: true };

/** One that is connected to a server. */
export type ConnectedClient = {
  seen(): Promise<Seen>;
  /** @throws Error when there is no result */
  call(tool: string, args: Record<string, unknown>): Promise<Called>;
  close(): Promise<void>;
};

export type Program = { command: string; args: string[]; env: Record<string, string>; cwd: string };

/** How a server is reached: a program to start, or the address at which one listens. */
export type Reach = Program | { url: string };

/** Milliseconds for a handshake and for a call. */
export const PATIENCE = 60_000;
