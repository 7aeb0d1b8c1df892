import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { isRecord, parseJson } from '../../json.ts';
import { StreamLostError } from '../transport/streamable-http.ts';

/** True when the connection, not the call, failed: it is unknown what the server did. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof SdkError) return error.code === SdkErrorCode.ConnectionClosed;
  // A TypeError is how fetch, and reading a body, say that the network failed.
  return error instanceof StreamLostError || error instanceof TypeError;
}

/**
 * True when the server refused a request, before executing it, because it no longer knows the session that came with it:
 * 404 by the specification (2025-11-25, transports, "Session Management"), but many servers answer 400 and leave no
 * other sign than their words. Ask only of a request that carried a session. The one place where a server's text decides
 * anything.
 */
export function isSessionLost(error: unknown): boolean {
  if (!(error instanceof SdkHttpError) || (error.status !== 404 && error.status !== 400)) return false;
  const text = String(error.data.text);
  return !isToolsAnswer(text) && (error.status === 404 || SESSION_WORDS.test(text));
}

const SESSION_WORDS =
  /mcp-session-id|session[ _-]?(id|not found|expired|invalid)|(no valid|invalid|unknown|expired) session|not initialized/i;

const TRANSPORT_CODES: ReadonlySet<unknown> = new Set([-32_000, -32_001]);

/**
 * A reply that came from behind the transport: a result, or an error to the request by its number. A transport that
 * knows no session refuses in answer to nothing, or under one of the two codes that the SDKs have for it.
 */
function isToolsAnswer(text: string): boolean {
  const body = parseJson(text);
  if (!isRecord(body)) return false;
  const { result, error, id } = body;
  if (result !== undefined) return true;
  return typeof id === 'number' && isRecord(error) && !TRANSPORT_CODES.has(error['code']);
}

/**
 * True when the server refused a request, before executing it, because its headers are not what the tool wants: its
 * schema has changed since it was listed (HeaderMismatch, MCP 2026-07-28, basic/transports).
 */
export function isOutOfDate(error: unknown): boolean {
  return error instanceof ProtocolError && error.code === HEADER_MISMATCH;
}

const HEADER_MISMATCH = -32020;

const hasStatus = (error: unknown, ...statuses: number[]): boolean =>
  error instanceof SdkHttpError && statuses.includes(error.status ?? 0);

/** True when a gateway got no answer, or none that it could use, from a server that it may have reached. */
export const isUnanswered = (error: unknown): boolean => hasStatus(error, 502, 504);

/** True when a gateway answered in place of a server that it could not reach, or got no answer from. */
export const isUnreached = (error: unknown): boolean => hasStatus(error, 502, 503, 504);
