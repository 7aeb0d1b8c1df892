import type { Permission } from './approval.ts';
import type { ToolOverrides } from '../conversation.ts';
import type { Given } from './grant.ts';
import type { Icon } from '../picture.ts';
import type { SkillEntry } from './skill.ts';
import type { ToolAnnotations } from './tool.ts';

/** What a tool says of MCP Apps (SEP-1865): which resource shows its calls, and that only a model or only an app may call it. */
export type ToolApp = { uri?: string; only?: 'model' | 'app' };

/** A tool found on a server. `enabled` and `permission` are the user's and survive a reconnect. */
export type Tool = {
  serverId: number;
  name: string;
  /** The name under which models know it, e.g. `mcp__3__echo`. */
  offeredName: string;
  title?: string;
  description: string;
  inputSchema: Record<string, unknown>;
  annotations: ToolAnnotations;
  icons?: Icon[];
  /** A skill (SEP-2640), whose `name` is its address: a model gets it through one tool for all of them (skill.ts). */
  skill?: SkillEntry;
  app?: ToolApp;
  /** Why no model is offered it, whatever the user chose: a broken schema, or it only runs as a task. A sentence. */
  problem?: string;
  enabled: boolean;
  /** The user's choice; absent: the default of lib/trust/tool-permission.ts. An `allow` is void once the definition changes. */
  permission?: Permission;
  /** Of that permission. */
  given?: Given;
  /** False when the server no longer lists it: it is kept for the user's choices, which wait for its return. */
  present: boolean;
  /**
   * It became another one, or came, since the user allowed it or trusted its server, and they have not accepted that: it asks.
   * `before`: the definition that they saw; absent for a new tool. Without a review the row itself is what they saw.
   */
  review?: { before?: Definition };
};

/** The parts of a tool that a user's permission is given for. */
export type Definition = Pick<
  Tool,
  'name' | 'title' | 'description' | 'inputSchema' | 'annotations' | 'skill'
>;

export function definitionOf(of: Definition): Definition {
  const { name, title, description, inputSchema, annotations, skill } = of;
  return {
    name,
    description,
    inputSchema,
    annotations,
    ...(title !== undefined && { title }),
    ...(skill && { skill }),
  };
}

/** Whether a chat has the tool on: its own entry goes before its server's, that before what holds for all chats. */
export function isOn(
  { serverId, offeredName, enabled }: Pick<Tool, 'serverId' | 'offeredName' | 'enabled'>,
  overrides: ToolOverrides = {},
): boolean {
  return overrides[offeredName] ?? overrides[`mcp__${serverId}`] ?? enabled;
}
