import {
  type AuthorizationServerMetadata,
  exchangeAuthorization,
  OAuthError,
  type OAuthTokens,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import { AppError } from '../../errors.ts';
import type { IssuerCredentials, SignInFlow, WindowOutcome } from '../../types/credentials.ts';
import { checkClient, isBadClient, withoutClient } from './client.ts';
import type { OAuthDeps, OAuthServer } from './deps.ts';
import { exchangeIdToken } from './enterprise.ts';
import * as failures from './failures.ts';
import { takeFlow, toTokens, withIssuer } from './kept-credentials.ts';
import { oauthFetch, tokenFetch } from './request.ts';
import { revoke } from './sign-out.ts';
import { t } from '../../../locales/texts/errors.ts';

/**
 * Redeems what the window of `startSignIn` answered and keeps what that gives, in whichever worker lives by then. It
 * believes no word of an answer before it has checked whose that is.
 * @throws AppError `sign_in_cancelled`, `sign_in_refused`, `sign_in_failed`, `sign_in_mismatch`, `sign_in_over`,
 * `server_changed`
 */
export async function finishSignIn(
  deps: OAuthDeps,
  server: OAuthServer,
  outcome: WindowOutcome,
): Promise<void> {
  try {
    const flow = await takeFlow(deps, server);
    if (!flow) throw failures.notUnderWay(server);
    const reply = await redeem(deps, server, flow, outcome).catch(async (error: unknown) => {
      await over(deps, server, flow, error);
      throw error;
    });
    await keepCredentials(deps, server, { ...flow, ...flow.exchange }, reply);
  } catch (error) {
    throw failures.failed(server, error);
  }
}

const metadataOf = ({ metadata }: SignInFlow) => metadata as AuthorizationServerMetadata;

/** What the authorization server gives for the user's consent. */
async function redeem(
  deps: OAuthDeps,
  server: OAuthServer,
  flow: SignInFlow,
  outcome: WindowOutcome,
): Promise<OAuthTokens> {
  if ('failure' in outcome) throw failures.cancelled(server, outcome.failure);
  const { code, iss } = checked(server, flow, outcome.answer);
  const metadata = metadataOf(flow);
  const { exchange } = flow;
  const reply = await exchangeAuthorization(metadata.issuer, {
    metadata,
    clientInformation: flow.client,
    authorizationCode: code,
    codeVerifier: flow.codeVerifier,
    redirectUri: deps.redirectUrl,
    fetchFn: tokenFetch(deps, exchange ? { url: metadata.issuer } : server),
    ...(iss !== undefined && { iss }),
    ...(flow.resource !== undefined && { resource: flow.resource }),
  });
  return exchange ? exchangeIdToken(deps, server, { ...flow, exchange }, reply) : reply;
}

/** The code, of an answer that was made for this sign-in. */
function checked(
  server: OAuthServer,
  flow: SignInFlow,
  answer: string,
): { code: string; iss: string | undefined } {
  const metadata = metadataOf(flow);
  const params = URL.parse(answer)?.searchParams;
  if (params?.get('state') !== flow.state) throw failures.forged(server);
  const iss = params.get('iss') ?? undefined;
  const issParameterSupported = metadata.authorization_response_iss_parameter_supported === true;
  validateAuthorizationResponseIssuer({ iss, expectedIssuer: metadata.issuer, issParameterSupported });
  const error = params.get('error');
  if (error === 'access_denied') throw failures.denied(server, new URL(metadata.authorization_endpoint).host);
  if (error !== null)
    throw new OAuthError(error, params.get('error_description') ?? t(($) => $.errors.signIn.noWords));
  const code = params.get('code');
  if (code === null) throw failures.forged(server);
  return { code, iss };
}

/** It came to nothing. Its client stays for the next one, unless the authorization server does not want it. */
async function over(deps: OAuthDeps, server: OAuthServer, flow: SignInFlow, error: unknown): Promise<void> {
  const metadata = metadataOf(flow);
  const { issuers } = await deps.store.update(server, (before) =>
    isBadClient(error) ? withoutClient(before, metadata.issuer, flow.client) : before,
  );
  const left = issuers[metadata.issuer];
  const isCancelled = error instanceof AppError && error.code === 'sign_in_cancelled';
  if (isCancelled && left?.client && !left.tokens) {
    deps.inBackground(() => checkClient(deps, server, metadata, flow.client));
  }
}

/** Tokens for a server that has gone, or moved, meanwhile are given back. */
async function keepCredentials(
  deps: OAuthDeps,
  server: OAuthServer,
  { client, metadata, resource, scope }: SignInFlow,
  reply: OAuthTokens,
): Promise<void> {
  const granted = reply.scope ?? scope;
  const entry: IssuerCredentials = {
    client,
    metadata,
    tokens: toTokens(reply, deps.now()),
    ...(resource !== undefined && { resource }),
    ...(scope !== undefined && { requested: scope }),
    ...(granted !== undefined && { granted }),
  };
  const issuer = String(metadata['issuer']);
  const keeping = deps.store.update(server, ({ challenge, ...before }) => {
    const resourceMetadataUrl = challenge?.resourceMetadataUrl;
    // The demand is met; where the server's metadata are stays worth knowing.
    const place = resourceMetadataUrl === undefined ? {} : { challenge: { resourceMetadataUrl } };
    return { ...withIssuer(before, issuer, entry), current: issuer, ...place };
  });
  await keeping.catch((error: unknown) => {
    deps.inBackground(() => revoke(entry, oauthFetch(deps, server)));
    throw error;
  });
}
