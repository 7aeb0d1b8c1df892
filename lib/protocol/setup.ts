import type { FleetSummary, Managed } from '../types/fleet.ts';
import type {
  FoundModel,
  LocalServer,
  ModelApi,
  ModelRow,
  ModelTest,
  PresetId,
  Traits,
} from '../types/model.ts';
import type { Note } from '../types/note.ts';
import type { Project, ProjectSummary } from '../types/project.ts';
import type { Schedule, ScheduleInput } from '../types/schedule.ts';
import type { Settings, SettingsChange } from '../types/settings.ts';
import type { Assistant, ChatChoice } from '../types/conversation.ts';
import type { SavedPrompt } from '../types/prompt.ts';
import type { Server, ServerStatus } from '../types/server.ts';
import type { Permission } from '../types/tools/approval.ts';
import type { Tool } from '../types/tools/server-tool.ts';
import type { Provider } from '../types/provider.ts';
import type { SecretLock } from '../types/credentials.ts';
import type { BrowserSync, Sync } from '../types/sync.ts';

/** Providers and their models, assistants, saved prompts, notes, projects, schedules, settings. */
export type SetupCommands = {
  saveProvider(request: ProviderInput): { id: number };
  removeProvider(request: { id: number }): void;
  /** Asks the provider what models it has and what they can do, and remembers it. @returns how many */
  refreshModels(request: { providerId: number }): { count: number };
  /** The same for an address that is not saved yet; nothing is remembered. An error names what is wrong. */
  /** Whether anything answers where a provider's models are. */
  providerAnswers(request: { providerId: number }): boolean;
  listModels(request: ProviderProbe): FoundModel[];
  /** Sends one tiny request with a tool. What it shows of a saved provider's model is remembered. */
  testModel(request: ProviderProbe & { model: string }): ModelTest;
  /** Changes what the user says of a model: `chosen` replaces all of it. */
  setModel(request: {
    providerId: number;
    id: string;
    chosen?: Traits;
    shown?: boolean;
    /** What its refusals taught is forgotten. */
    forget?: true;
  }): void;
  /** Looks once for model servers on this computer. */
  findLocalServers(): LocalServer[];
  saveAssistant(request: Omit<Assistant, 'id'> & { id?: number }): { id: number };
  removeAssistant(request: { id: number }): void;
  savePrompt(request: Omit<SavedPrompt, 'id'> & { id?: number }): { id: number };
  removePrompt(request: { id: number }): void;
  /**
   * Adds the skills in a folder, or replaces those of the same names: the text files of it by their paths.
   * @throws AppError `no_skill`, `invalid_input`, `name_taken`
   */
  importSkills(request: { files: { path: string; text: string }[] }): { names: string[] };
  /** @throws AppError `invalid_input` */
  saveNote(request: { id?: number; text: string; project?: string }): { id: number };
  removeNote(request: { id: number }): void;
  /** What is saved is switched on. @throws AppError `invalid_input` */
  saveProject(request: ProjectInput): { id: number };
  /** With its files and notes; its chats stay. */
  removeProject(request: { id: number }): void;
  /** @throws AppError `invalid_input` where it is too much */
  addProjectFile(request: { id: number; name: string; text: string }): void;
  removeProjectFile(request: { id: number; fileId: string }): void;
  readProjectFile(request: { id: number; fileId: string }): { text: string };
  /** @throws AppError `invalid_input`, also for a time that never comes */
  saveSchedule(request: ScheduleInput): { id: number };
  /** Switches it on or off: times that pass meanwhile are not made up for. */
  switchSchedule(request: { id: number; isOff: boolean }): void;
  removeSchedule(request: { id: number }): void;
  /** Runs it now, besides its times. @throws AppError `schedule_busy` */
  runSchedule(request: { id: number }): void;
  saveSettings(request: SettingsChange): void;
  /** @throws AppError `wrong_passphrase` */
  unlockSecrets(request: { passphrase: string }): void;
  lockSecrets(): void;
  /**
   * Sets, changes or, with null, removes the passphrase that protects secrets. `current`: the one that is set.
   * @throws AppError `wrong_passphrase`, `invalid_passphrase`
   */
  setPassphrase(request: { current?: string; next: string | null }): void;
};

export type ProjectInput = Pick<Project, 'name' | 'instructions' | 'tools'> & { id?: number };

/** `apiKey` absent keeps the stored one, an empty string removes it; `headers` absent keeps the stored ones. */
export type ProviderInput = {
  id?: number;
  /** Of the organisation's; no page says it. */
  managed?: Managed;
  name: string;
  preset: PresetId;
  baseUrl: string;
  api?: ModelApi;
  model: string;
  apiKey?: string;
  headers?: Record<string, string>;
};

/** An address to ask. With `providerId` what is not given here is taken from the stored secrets. */
export type ProviderProbe = {
  preset: PresetId;
  baseUrl: string;
  api?: ModelApi;
  apiKey?: string;
  headers?: Record<string, string>;
  providerId?: number;
};

/**
 * A tool as every page gets it: without its schema and icons, and only with the beginning of its description, because a
 * port carries no more than 64 MiB at once; `listTools` tells the rest. `permission` is the one in force.
 */
export type ToolSummary = Omit<Tool, 'inputSchema' | 'icons' | 'permission' | 'review' | 'skill'> & {
  isSkill?: true;
  permission: Permission;
  /** Its organisation does not allow it. */
  isForbidden?: true;
  review?: 'changed' | 'new';
  /** An app shows its calls while their arguments are written. */
  showsWritten?: true;
  /** About what its definition costs in every request; of a skill its line in that of the tool for all of them. */
  tokens: number;
};

/** A model as pages see it. */
export type ModelSummary = ModelRow & {
  /** What holds: what the user says, else what was learnt, else what was found. */
  traits: Traits;
};

/** What the user set up, with live statuses. Pushed whole whenever it changes. */
export type Setup = {
  servers: Server[];
  statuses: Record<number, ServerStatus>;
  tools: ToolSummary[];
  providers: Provider[];
  models: ModelSummary[];
  assistants: Assistant[];
  prompts: SavedPrompt[];
  /** Oldest first. */
  notes: Note[];
  projects: ProjectSummary[];
  schedules: Schedule[];
  /** How the next new chat is asked; its provider and model are those chosen last. */
  newChat: ChatChoice;
  settings: Settings;
  /** Rows that can't be shown were left out. */
  damaged?: true;
  /** Absent where no organisation manages the browser. */
  fleet?: FleetSummary;
  /** Absent where no passphrase is set. */
  lock?: SecretLock;
  /** Absent where chats are not synced. */
  sync?: Sync;
  /** Absent where settings are not synced. */
  browserSync?: BrowserSync;
};
