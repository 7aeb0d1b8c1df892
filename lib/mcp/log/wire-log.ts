import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { LOG_LEVELS, type LogLevel, type WireEntry } from '../../types/wire-log.ts';
import { isRecord } from '../../json.ts';
import { isText, kept } from '../content/raw.ts';
import { oneLine } from '../failures/one-line.ts';
import { createRedaction, type Redaction } from './redact.ts';
import { tap } from './tap.ts';
import { countOf, summaryOf } from './wire-summary.ts';
import { t } from '../../../locales/texts/errors.ts';

export type WireLogDeps = {
  /** Milliseconds since 1970. */
  now: () => number;
  onEntry: (entry: WireEntry) => void;
  /** Texts that must stand in no line: header values, tokens. Asked again for every line. */
  secrets: () => string[];
};

const MOST_ENTRIES = 200;
/** Characters. */
const MOST_BODY = 8_000;
const MOST_SUMMARY = 300;
/** Requests without a reply that are remembered; of older ones the reply is not known any more. */
const MOST_OPEN = 500;

type Draft = Omit<WireEntry, 'seq' | 'at'>;
type Open = { method: string; at: number };

/**
 * The log of one server: the last 200 lines, in memory. It outlives sessions. Nothing that goes wrong in it reaches the
 * connection, and a message of many megabytes costs no more than what is shown of it.
 */
export function createWireLog({ now, onEntry, secrets }: WireLogDeps) {
  const entries: WireEntry[] = [];
  let seq = 0;
  const write = (make: (redact: Redaction) => Draft | undefined): void => {
    try {
      const draft = make(createRedaction(secrets()));
      if (!draft) return;
      const entry = { seq: (seq += 1), at: new Date(now()).toISOString(), ...draft };
      entries.push(entry);
      if (entries.length > MOST_ENTRIES) entries.shift();
      onEntry(entry);
    } catch (error) {
      console.warn('Portside: a line of a server’s log was lost.', error);
    }
  };

  return {
    /** Writes down every message of a transport, until that is closed. To be called before the client connects. */
    watch(transport: Transport): void {
      const asked = { sent: new Map<unknown, Open>(), received: new Map<unknown, Open>() };
      const record = (kind: 'sent' | 'received', message: JSONRPCMessage): void =>
        write((redact) => {
          if ('method' in message) {
            if (message.method === 'notifications/message') return undefined;
            if ('id' in message) remember(asked[kind], message.id, { method: message.method, at: now() });
            return drawn(kind, message, undefined, redact);
          }
          const requests = asked[kind === 'sent' ? 'received' : 'sent'];
          const request = requests.get(message.id);
          requests.delete(message.id);
          const draft = drawn(kind, message, request?.method, redact);
          return request ? { ...draft, tookMs: Math.max(0, Math.round(now() - request.at)) } : draft;
        });
      tap(transport, {
        sent: (message) => record('sent', message),
        received: (message) => record('received', message),
        failed: (message, error) =>
          write((redact) => {
            // Stopped by Portside itself: the line of what was sent tells enough.
            if (error instanceof Error && error.name === 'AbortError') return undefined;
            if ('id' in message) asked.sent.delete(message.id);
            const what = 'method' in message ? message.method : t(($) => $.errors.mcp.log.answer);
            const why = oneLine(error instanceof Error ? error.message : String(error));
            return {
              ...line(
                'note',
                redact.text(
                  t(($) => $.errors.mcp.log.failed, { method: what, why }),
                  MOST_SUMMARY,
                ),
              ),
              isError: true,
            };
          }),
      });
    },
    /** A line of Portside's own. */
    note: (text: string): void => write((redact) => line('note', redact.text(text, MOST_SUMMARY))),
    /** The same, of something that went wrong. */
    problem: (text: string): void =>
      write((redact) => ({ ...line('note', redact.text(text, MOST_SUMMARY)), isError: true })),
    /** What the server had logged (`notifications/message`, which `watch` leaves to this). */
    logged: (level: LogLevel, data: unknown, logger?: string): void =>
      write((redact) => {
        const words = isText(data) ? data : redact.json(data, MOST_SUMMARY);
        const isError = LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf('error');
        return {
          ...line('log', redact.text(logger ? `${logger}: ${words}` : words, MOST_SUMMARY)),
          size: countOf(data),
          body: redact.json(data, MOST_BODY),
          level,
          ...(isError && { isError: true as const }),
        };
      }),
    /** Oldest first. */
    entries: (): WireEntry[] => [...entries],
  };
}

export type WireLog = ReturnType<typeof createWireLog>;

function line(kind: WireEntry['kind'], summary: string): Pick<WireEntry, 'kind' | 'summary' | 'size'> {
  return { kind, summary, size: summary.length };
}

/** @param answers the method of the request that the message replies to */
function drawn(
  kind: 'sent' | 'received',
  message: JSONRPCMessage,
  answers: string | undefined,
  redact: Redaction,
): Draft {
  // What `keepResults` put aside for the client's sake is what came.
  const whole =
    'result' in message && isRecord(message.result) ? { ...message, result: kept(message.result) } : message;
  const id = 'id' in whole && whole.id !== undefined ? redact.text(String(whole.id), 100) : undefined;
  const isError = 'error' in whole || ('result' in whole && whole.result['isError'] === true);
  return {
    kind,
    summary: redact.text(summaryOf(whole, answers), MOST_SUMMARY),
    ...(id !== undefined && { id }),
    size: countOf(whole),
    body: redact.json(whole, MOST_BODY),
    ...(isError && { isError: true as const }),
  };
}

function remember(open: Map<unknown, Open>, id: unknown, request: Open): void {
  open.set(id, request);
  if (open.size <= MOST_OPEN) return;
  const [oldest] = open.keys();
  open.delete(oldest);
}
