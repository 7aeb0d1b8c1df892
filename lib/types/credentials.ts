/** Portside as an authorization server knows it. */
export type OAuthClient = { client_id: string; client_secret?: string; token_endpoint_auth_method?: string };

/** Who signs the members of an organisation in, and who Portside is there: a public client, registered by hand. */
export type IdentityProvider = { issuer: string; clientId: string };

/** The client that the user registered by hand with a server's authorization server. */
export type OwnClient = { id: string; secret?: string; identityProvider?: IdentityProvider };

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

/** A sign-in that is in the user's hands: all that it takes to redeem the answer. */
export type SignInFlow = {
  /** Milliseconds since 1970. */
  startedAt: number;
  state: string;
  /** RFC 7636. */
  codeVerifier: string;
  client: OAuthClient;
  metadata: Record<string, unknown>;
  resource?: string;
  scope?: string;
  /** Of a sign-in at an identity provider: what its ID token is exchanged for, where, and as whom. */
  exchange?: Pick<SignInFlow, 'client' | 'metadata' | 'resource' | 'scope'>;
};

/** All that signing in at one MCP server left. Secret. */
export type Credentials = {
  /** Of the client registered by hand that this was given to; absent where there was none. */
  clientId?: string;
  issuers: Record<string, IssuerCredentials>;
  /** Whose tokens the MCP server gets. */
  current?: string;
  challenge?: Challenge;
  /** Absent while no sign-in is open. A page that was closed leaves its own. */
  flow?: SignInFlow;
};

/**
 * What a page has to do for a sign-in: have the browser show `url` (lib/gestures.ts), or first ask for these origins.
 * `isAgain`: the answer of another window was lost, and the authorization server may remember the user.
 */
export type SignInStart =
  | { state: 'window'; url: string; isAgain: boolean }
  | { state: 'needs_origin'; origins: string[] };

/** What came of the window: the address it was sent to, or the browser's words on why there is none. */
export type WindowOutcome = { answer: string } | { failure: string };

/** Of secrets that a passphrase protects. */
export type SecretLock = 'locked' | 'open';
/** Characters. */
export const SHORTEST_PASSPHRASE = 8;
