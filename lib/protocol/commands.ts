import type { AppCommands } from './apps.ts';
import type { AttachedCommands } from './attached.ts';
import type { ChatCommands } from './chats.ts';
import type { DataCommands } from './data.ts';
import type { RunCommands } from './runs.ts';
import type { ServerCommands } from './servers.ts';
import type { SetupCommands } from './setup.ts';
import type { ToolCommands } from './tools.ts';

/** What a page may ask of the worker: request -> reply. A failure rejects with an AppError. */
export type Commands = RunCommands &
  ChatCommands &
  DataCommands &
  ServerCommands &
  ToolCommands &
  AttachedCommands &
  AppCommands &
  SetupCommands;

/** What goes along with a command; undefined where nothing does. */
export type Request<K extends keyof Commands> = Parameters<Commands[K]> extends [infer R] ? R : undefined;

export type Reply<K extends keyof Commands> = ReturnType<Commands[K]>;
