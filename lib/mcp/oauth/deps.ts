import type { Credentials, OwnClient } from '../../types/credentials.ts';

/** An MCP server as far as signing in goes. */
export type OAuthServer = {
  id: number;
  name: string;
  url: string;
  /** What must be shown nowhere. */
  secrets?: (() => string[]) | undefined;
};

export type OAuthDeps = {
  fetch: typeof fetch;
  /** Whether the user granted this origin. Nothing is sent to any other. */
  isGranted: (origin: string) => Promise<boolean>;
  store: {
    read(server: OAuthServer): Promise<Credentials>;
    /** @throws AppError `server_changed` when the server is not what it was */
    update(server: OAuthServer, change: (before: Credentials) => Credentials): Promise<Credentials>;
    /** The client that the user registered by hand. */
    client(server: OAuthServer): Promise<OwnClient | undefined>;
  };
  /** Where the authorization server sends the user back to. */
  redirectUrl: string;
  /** Where Portside's client-id metadata document is published, if it is. */
  clientMetadataUrl?: string;
  now: () => number;
  /** Runs what is not awaited, however it ends. */
  inBackground: (job: () => Promise<unknown>) => void;
};
