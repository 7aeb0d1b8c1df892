import type { Icon } from './picture.ts';
import type { Transport } from './server.ts';

/** Who an MCP server says it is, and what was agreed with it (spec 2026-07-28 `server/discover`; before: `initialize`). */
export type ServerInfo = {
  name: string;
  title?: string;
  version: string;
  websiteUrl?: string;
  icons?: Icon[];
  /** The revision in use, e.g. `2025-11-25`. */
  protocolVersion: string;
  /** What goes over the wire: a server that was set up as Streamable HTTP may turn out to speak only SSE. */
  transport: Transport;
  /** What it wants models to know of it. Sent with the system prompt unless the user switched that off. */
  instructions?: string;
  /** Of its declared capabilities those that change what pages show. */
  can: ('complete' | 'subscribe' | 'log' | 'skills')[];
};

export type PromptArgument = { name: string; title?: string; description: string; required: boolean };

export type Prompt = {
  name: string;
  title?: string;
  description: string;
  arguments: PromptArgument[];
  icons?: Icon[];
};

type ResourceBase = {
  name: string;
  title?: string;
  description: string;
  mimeType?: string;
  /** MCP annotations: hints from the server. `priority` from 0 to 1; `lastModified` ISO 8601. */
  annotations?: { audience?: ('user' | 'assistant')[]; priority?: number; lastModified?: string };
  icons?: Icon[];
};

/** `size` in bytes, where the server tells it. */
export type Resource = ResourceBase & { uri: string; size?: number };

/** `uriTemplate`: RFC 6570, e.g. `repo://{owner}/{repo}/contents{/path*}`. */
export type ResourceTemplate = ResourceBase & { uriTemplate: string };

/** All that a connected server offers besides its tools, which are in the database. */
export type Offer = {
  info: ServerInfo;
  prompts: Prompt[];
  resources: Resource[];
  templates: ResourceTemplate[];
};

/** What a prompt or a template wants completed. */
export type CompletionRef = { type: 'prompt'; name: string } | { type: 'template'; uriTemplate: string };
