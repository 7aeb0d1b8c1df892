import type { Picture } from '../picture.ts';

/** One block of a tool result, as MCP content; unknown kinds are kept as they came. */
export type ContentBlock =
  | { type: 'text'; text: string }
  /** `onlyForUser`: it is shown to the user, not to the model; `moment`: of the page that the call acted on, before it or after. */
  | ({ type: 'image'; onlyForUser?: true; moment?: 'before' | 'after' } & Picture)
  | { type: 'audio'; data: string; mimeType: string }
  | {
      type: 'resource_link';
      uri: string;
      name: string;
      title?: string;
      description?: string;
      mimeType?: string;
      /** Bytes. */
      size?: number;
    }
  | { type: 'resource'; resource: { uri: string; mimeType?: string; text?: string; blob?: string } }
  | { type: 'unknown'; value: unknown };

/** Why a call was not made, or not again. The model is told so in Portside's fixed words (lib/agent/refusals.ts). */
export const REFUSED = ['blocked', 'cancelled', 'declined', 'denied', 'skipped'] as const;
export type Refusal = (typeof REFUSED)[number];

/** What came of a call. `text` is what the model reads when it is neither an error nor a refusal. */
export type ToolResult = {
  text: string;
  isError: boolean;
  /** Never of a server's answer. */
  refusal?: Refusal;
  /** What the user said to the model when they refused, or went on with what it asked of them. */
  word?: string;
  blocks?: ContentBlock[];
  structured?: unknown;
  /** What the server added for the client that shows the result (`_meta`); no model is told. */
  meta?: Record<string, unknown>;
  /** The tool log keeps only so many: of this call the arguments, the blocks and the structured content are gone. */
  dropped?: true;
  /** Characters that were left out of what a page gets; the database has the whole. */
  omitted?: number;
  /** The address of the web page that it was read from. */
  url?: string;
  /** The address of the site that the user would have to let Portside reach; empty: the browser keeps it to itself. */
  access?: string;
};

/** Whether the call only lacked access to a site. That is asked for, and no failure of the tool. */
export const lacksAccess = ({ result }: { result?: ToolResult }): boolean => result?.access !== undefined;
