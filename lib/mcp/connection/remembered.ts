import type { DiscoverResult } from '@modelcontextprotocol/client';
import type { Transport } from '../../types/server.ts';

/** What a server turned out to speak, so that a new worker need neither ask again nor shake hands again. Secret. */
export type Remembered = {
  /** Address, transport and headers, or the program, that it was learnt with: at others it is worth nothing. */
  endpoint: string;
  transport: Transport;
} & (
  | { era: 'modern'; discover: DiscoverResult }
  /** `session`: absent where the server gives none. `initialized`: what `initialize` told, as far as the offer needs it. */
  | { era: 'legacy'; protocolVersion: string; session?: string; initialized: Record<string, unknown> }
);
