/** Portside as an authorization server knows it. */
export type OAuthClient = { client_id: string; client_secret?: string; token_endpoint_auth_method?: string };

export type Tokens = {
  accessToken: string;
  refreshToken?: string;
  /** Milliseconds since 1970; absent where the server does not say. */
  expiresAt?: number;
  /** Milliseconds since 1970. */
  obtainedAt: number;
};

/** What one authorization server gave Portside, for one MCP server. It is never sent to another one. */
export type IssuerCredentials = {
  client?: OAuthClient;
  tokens?: Tokens;
  /** Its metadata document (RFC 8414) as last read. */
  metadata: Record<string, unknown>;
  /** RFC 8707; absent where the MCP server publishes no metadata of its own. */
  resource?: string;
  /** What was asked for at the last sign-in, and what of it was granted; scopes separated by spaces. */
  requested?: string;
  granted?: string;
};

/** What an MCP server said when it refused a request, for the sign-in to come. */
export type Challenge = { resourceMetadataUrl?: string; scope?: string };

/** A sign-in whose window is open. `life`: of the worker that opened it; `startedAt`: milliseconds since 1970. */
export type SignInFlow = { life: string; issuer: string; startedAt: number };

/** All that signing in at one MCP server left. Secret. */
export type Credentials = {
  /** Of the client registered by hand that this was given to; absent where there was none. */
  clientId?: string;
  issuers: Record<string, IssuerCredentials>;
  /** Whose tokens the MCP server gets. */
  current?: string;
  challenge?: Challenge;
  /** Absent while nobody signs in; what a worker that ended meanwhile left. */
  flow?: SignInFlow;
};
