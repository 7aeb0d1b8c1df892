import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type OAuthServerOptions = {
  /** Seconds that an access token lives; 3600 unless told. */
  lifetime?: number;
  /** Refresh tokens: a new one each time, the same for ever (and not sent again), or none. */
  refresh?: 'rotate' | 'keep' | 'none';
  /** The page sends back at once, denies, shows two links, or nothing. */
  consent?: 'allow' | 'deny' | 'click' | 'nothing';
  /** The `iss` of the answer, which the metadata promise; null: absent. */
  iss?: string | null;
  /** The `state` of the answer instead of the one that was sent. */
  state?: string;
  /** What comes with `consent: 'deny'`; `access_denied` unless told. */
  error?: { error: string; error_description: string };
  /** Dynamic registration; on unless told. */
  registration?: boolean;
  /** Takes client-id metadata documents, without reading them. */
  clientMetadataDocuments?: boolean;
  /** Clients registered by hand: id -> secret. */
  clients?: Record<string, string>;
  /** As an identity provider it gives ID tokens, and exchanges them for ID-JAGs. */
  idTokens?: boolean;
  /** What an ID-JAG of an identity provider that it trusts is for. */
  trusts?: (idJag: string) => IdJag | undefined;
  /** Scopes that it publishes. */
  scopes?: string[];
  /** What it grants of the scopes asked for; all unless told. */
  grants?: (scopes: string[]) => string[];
  /** More or other metadata; undefined takes one out. */
  metadata?: Record<string, unknown>;
  /** Answers the token endpoint gives instead, first one first. */
  tokenAnswers?: { status: number; headers?: Record<string, string>; body?: string }[];
};

type Grant = { scope: string; clientId: string; resource: string | null };
type Access = Grant & { until: number };
type Code = Grant & { challenge: string; redirectUri: string };

/** To what an ID token was exchanged, as the identity provider was asked. */
export type IdJag = { audience: string; resource: string; scope: string };

export type TestOAuthServer = {
  idJags: Map<string, IdJag>;
  issuer: string;
  /** Changes how it behaves from now on. */
  behave(options: OAuthServerOptions): void;
  /** `POST /token refresh_token`, `GET /authorize`, ... in order of arrival. */
  requests: string[];
  /** The queries of `/authorize`. */
  authorizations: URLSearchParams[];
  /** The bodies of `/register`. */
  registrations: Record<string, unknown>[];
  /** The bodies of `/token`, with the Authorization header, if there was one, as `authorization`. */
  tokenRequests: Record<string, string>[];
  /** What a token is good for now; undefined when it is no good. */
  accessOf(token: string): Access | undefined;
  refreshTokens: Map<string, Grant>;
  /** Ends every access token, as an authorization server may at any time; refresh tokens too if asked. */
  expire(andRefreshTokens?: 'refresh'): void;
  /** Knows no client any more that registered itself. */
  forgetClients(): void;
  close(): Promise<void>;
};

/** A real authorization server (RFC 6749, 7009, 7591, 7636, 8414, 9207) on loopback, without a consent page. */
export async function startOAuthServer(first: OAuthServerOptions = {}): Promise<TestOAuthServer> {
  let options = first;
  const access = new Map<string, Access>();
  const refreshTokens = new Map<string, Grant>();
  const codes = new Map<string, Code>();
  const clients = new Set<string>();
  const idTokens = new Set<string>();
  const idJags = new Map<string, IdJag>();
  const requests: string[] = [];
  const authorizations: URLSearchParams[] = [];
  const registrations: Record<string, unknown>[] = [];
  const tokenRequests: Record<string, string>[] = [];

  const http = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const issuer = `http://localhost:${(http.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', issuer);
    const text = await readText(request);
    const form = new URLSearchParams(text);
    requests.push([request.method, url.pathname, form.get('grant_type')].filter(Boolean).join(' '));
    const authorization = request.headers.authorization;
    const sent = { ...Object.fromEntries(form), ...(authorization !== undefined && { authorization }) };
    switch (url.pathname) {
      case '/.well-known/oauth-authorization-server':
        return json(response, 200, metadataOf(issuer, options));
      case '/register': {
        const body = JSON.parse(text) as Record<string, unknown>;
        registrations.push(body);
        const client_id = randomUUID();
        clients.add(client_id);
        return json(response, 201, { ...body, client_id, token_endpoint_auth_method: 'none' });
      }
      case '/authorize':
        authorizations.push(url.searchParams);
        return authorize(url.searchParams, response);
      case '/token':
        tokenRequests.push(sent);
        return token(sent, response);
      case '/revoke':
        return revoke(sent, response);
      default:
        response.writeHead(404).end();
    }
  }

  function authorize(query: URLSearchParams, response: ServerResponse): void {
    const clientId = query.get('client_id') ?? '';
    if (!isKnown(clientId)) return void response.writeHead(400).end('Who are you?');
    const redirectUri = query.get('redirect_uri') ?? '';
    const asked = (query.get('scope') ?? '').split(' ').filter(Boolean);
    const scope = (options.grants?.(asked) ?? asked).join(' ');
    const code = randomUUID();
    const challenge = query.get('code_challenge') ?? '';
    codes.set(code, { scope, clientId, challenge, redirectUri, resource: query.get('resource') });
    const back = (given: Record<string, string>): string => {
      const to = new URL(redirectUri);
      const iss =
        options.iss === undefined ? { iss: issuer } : options.iss === null ? {} : { iss: options.iss };
      const state = options.state ?? query.get('state') ?? '';
      for (const [name, value] of Object.entries({ ...given, state, ...iss }))
        to.searchParams.set(name, value);
      return to.href;
    };
    const allow = back({ code });
    const deny = back(options.error ?? { error: 'access_denied' });
    const { consent = 'allow' } = options;
    if (consent === 'allow') return void response.writeHead(302, { location: allow }).end();
    if (consent === 'deny') return void response.writeHead(302, { location: deny }).end();
    const links = `<a href="${escape(allow)}">Allow</a> <a href="${escape(deny)}">Deny</a>`;
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><title>Sign in</title>${consent === 'click' ? links : ''}`);
  }

  function token(sent: Record<string, string>, response: ServerResponse): void {
    const instead = options.tokenAnswers?.shift();
    if (instead) return void response.writeHead(instead.status, instead.headers).end(instead.body);
    const clientId = clientOf(sent, options);
    if (clientId === undefined || !isKnown(clientId)) return json(response, 401, { error: 'invalid_client' });
    if (sent['grant_type'] === TOKEN_EXCHANGE) return exchange(sent, response);
    const assertion = options.trusts?.(sent['assertion'] ?? '');
    const asserted = assertion?.audience === issuer && { ...assertion, clientId };
    const grant = asserted || (sent['grant_type'] === 'refresh_token' ? refreshed(sent) : redeemed(sent));
    if (grant?.clientId !== clientId) return json(response, 400, { error: 'invalid_grant' });
    const { lifetime = 3600, refresh = 'rotate' } = options;
    const access_token = randomUUID();
    access.set(access_token, { ...grant, until: Date.now() + lifetime * 1000 });
    const renews = refresh === 'rotate' || (refresh === 'keep' && sent['grant_type'] !== 'refresh_token');
    const refresh_token = randomUUID();
    const id_token = randomUUID();
    if (options.idTokens) idTokens.add(id_token);
    if (renews) refreshTokens.set(refresh_token, grant);
    json(response, 200, {
      access_token,
      token_type: 'Bearer',
      expires_in: lifetime,
      ...(grant.scope !== '' && { scope: grant.scope }),
      ...(renews && { refresh_token }),
      ...(options.idTokens && { id_token }),
    });
  }

  /** RFC 8693, to an ID-JAG (draft-ietf-oauth-identity-assertion-authz-grant). */
  function exchange(sent: Record<string, string>, response: ServerResponse): void {
    const { subject_token: subject = '', audience = '', resource = '', scope = '' } = sent;
    if (!idTokens.delete(subject)) return json(response, 400, { error: 'invalid_grant' });
    const access_token = randomUUID();
    idJags.set(access_token, { audience, resource, scope });
    const issued_token_type = 'urn:ietf:params:oauth:token-type:id-jag';
    json(response, 200, { access_token, issued_token_type, token_type: 'N_A', expires_in: 300 });
  }

  function refreshed(sent: Record<string, string>): Grant | undefined {
    const given = sent['refresh_token'] ?? '';
    const grant = refreshTokens.get(given);
    if (options.refresh !== 'keep') refreshTokens.delete(given);
    return grant;
  }

  function redeemed(sent: Record<string, string>): Grant | undefined {
    const code = codes.get(sent['code'] ?? '');
    codes.delete(sent['code'] ?? '');
    const hash = createHash('sha256')
      .update(sent['code_verifier'] ?? '')
      .digest('base64url');
    const fits = code?.challenge === hash && code.redirectUri === sent['redirect_uri'];
    return fits && (sent['resource'] ?? null) === code.resource ? code : undefined;
  }

  function revoke(sent: Record<string, string>, response: ServerResponse): void {
    const given = sent['token'] ?? '';
    refreshTokens.delete(given);
    access.delete(given);
    response.writeHead(200).end();
  }

  function isKnown(clientId: string): boolean {
    const isDocument = options.clientMetadataDocuments === true && clientId.startsWith('https://');
    return clients.has(clientId) || isDocument || options.clients?.[clientId] !== undefined;
  }

  return {
    issuer,
    idJags,
    behave: (changes) => (options = { ...options, ...changes }),
    requests,
    authorizations,
    registrations,
    tokenRequests,
    refreshTokens,
    accessOf(given) {
      const found = access.get(given);
      return found && found.until > Date.now() ? found : undefined;
    },
    expire(andRefreshTokens) {
      access.clear();
      if (andRefreshTokens) refreshTokens.clear();
    },
    forgetClients: () => clients.clear(),
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

function metadataOf(issuer: string, options: OAuthServerOptions): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    revocation_endpoint: `${issuer}/revoke`,
    ...(options.registration !== false && { registration_endpoint: `${issuer}/register` }),
    ...(options.clientMetadataDocuments && { client_id_metadata_document_supported: true }),
    ...(options.scopes && { scopes_supported: options.scopes }),
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
    authorization_response_iss_parameter_supported: true,
    ...options.metadata,
  };
}

/** The client that authenticates itself; undefined for a wrong secret. */
function clientOf(sent: Record<string, string>, { clients = {} }: OAuthServerOptions): string | undefined {
  const basic = /^Basic (.*)$/.exec(sent['authorization'] ?? '')?.[1];
  const [id = '', secret] = basic === undefined ? [sent['client_id']] : atob(basic).split(':');
  return clients[id] === secret ? id : undefined;
}

export async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
