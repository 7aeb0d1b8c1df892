import {
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from '@modelcontextprotocol/client';
import { AppError } from '../../errors.ts';
import type { CallTool } from '../../types/tools/call-tool.ts';
import type { ContentBlock } from '../../types/tools/tool-result.ts';
import type { ConnectionConfig } from '../settings.ts';
import { TooLargeError } from '../transport/body-limit.ts';
import { RedirectError } from '../transport/observed-fetch.ts';
import { causeOf } from '../failures/failures.ts';
import { isConnectionLost, isUnanswered } from '../failures/sdk-errors.ts';
import { oneLine } from '../failures/one-line.ts';
import { toToolResult } from '../content/results.ts';
import { EndlessError, isRefusal } from '../elicitation/server-requests.ts';
import { t } from '../../../locales/texts/errors.ts';

export type Outcome = Awaited<ReturnType<CallTool>>;

export function answered(raw: Record<string, unknown>): Outcome {
  const result = toToolResult(raw);
  return { result, status: result.isError ? 'error' : 'success' };
}

/** With a word on what of the server's requests Portside refused by itself meanwhile; `whys`: at least one. */
export function withRefusals({ result, status }: Outcome, name: string, whys: string[]): Outcome {
  const text = t(($) => $.errors.mcp.refusedMeanwhile, {
    name,
    count: whys.length,
    why: oneLine(whys[0] ?? ''),
  });
  const blocks: ContentBlock[] = [...(result.blocks ?? []), { type: 'text', text }];
  return { result: { ...result, text: `${result.text}\n${text}`, blocks }, status };
}

export function failed(status: Exclude<Outcome['status'], 'success'>, text: string): Outcome {
  return { result: { text, isError: true }, status };
}

/** `why`: what ended its connection. */
export function cancelled(toolName: string, why?: unknown): Outcome {
  const reason = why instanceof AppError ? `: ${why.message}` : '.';
  return failed('cancelled', `${toolName} was cancelled${reason}`);
}

/** A task's server does not know it any more, or can't be asked about it. */
export function lostTask(toolName: string, why: string): Outcome {
  return failed(
    'unknown',
    `${toolName} was running as a task of its server, and Portside can no longer learn what became of it. It may or may not have been carried out: check before running it again. (${why})`,
  );
}

/** An AppError as one line, for the model and the card. */
export function errorLine(error: AppError): string {
  return [error.message, error.fix].filter(Boolean).join(' ');
}

/** Why a dispatched call has no result, in words for the model and the user. */
export function explain(config: ConnectionConfig, toolName: string, error: unknown): string {
  const cause = causeOf(config, error);
  if (isConnectionLost(error)) {
    return `The connection to ${config.name} was lost while ${toolName} was running. It may or may not have been carried out: check before running it again. (${cause})`;
  }
  if (error instanceof RedirectError) {
    return `${config.name} did not run ${toolName}: its address now answers with a redirect, which Portside does not follow. Change the address in the server’s settings.`;
  }
  if (error instanceof TooLargeError) {
    return `${config.name} answered the call of ${toolName} with more than Portside can take in. It was probably carried out: check before running it again. (${cause})`;
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.CapabilityNotSupported) {
    return `${config.name} asked for something that Portside does not offer while ${toolName} was running. (${cause})`;
  }
  if (error instanceof ProtocolError) return refusal(config, toolName, error, cause);
  if (!(error instanceof SdkHttpError)) {
    return `${config.name} answered the call of ${toolName} in a form that Portside cannot read. (${cause})`;
  }
  if (isUnanswered(error)) {
    return `${config.name} gave its gateway no answer to the call of ${toolName} (HTTP ${error.status}). It may or may not have been carried out: check before running it again. (${cause})`;
  }
  if (error.status === 401 || error.status === 403) {
    return `${config.name} refused the call of ${toolName}: its credentials are missing or no longer accepted. Check the headers in the server’s settings. (HTTP ${error.status})`;
  }
  return `${config.name} answered the call of ${toolName} with HTTP ${error.status}. (${cause})`;
}

function refusal(config: ConnectionConfig, toolName: string, error: ProtocolError, cause: string): string {
  if (error instanceof EndlessError) {
    return `${config.name} asked one question after another while ${toolName} was running, so Portside ended the call: the server is probably caught in a loop. It may have done part of the work: check before running it again. (${cause})`;
  }
  if (isRefusal(error)) {
    return `${config.name} asked for what no user can be asked while ${toolName} was running. (${cause})`;
  }
  if (error.code === ProtocolErrorCode.InvalidParams) {
    return `${config.name} refused the call of ${toolName}: the tool is unknown to it or the arguments do not fit. (${cause})`;
  }
  return `${config.name} could not run ${toolName}. (${cause})`;
}
