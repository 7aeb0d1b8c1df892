import type { ServerInput } from '../protocol/servers.ts';

/** What a configuration file holds, ready to be looked at. */
export type ServerConfig = {
  servers: ConfiguredServer[];
  /** What the file leaves to be asked (`${env:..}`, `${input:..}`): each once, whatever uses it. */
  questions: ConfigQuestion[];
};

export type ConfiguredServer = {
  /** What the file calls it. */
  key: string;
  /** Strings may hold `${id}` of a question, to be replaced by the answer. */
  input: ServerInput;
  /** Why it can't be added, or what of it is left out: sentences. */
  problems: string[];
  /** False when it can't be added at all. */
  usable: boolean;
  /** The saved server that has this name already. */
  sameNameAs?: number;
};

/** `id` e.g. `env:GITHUB_TOKEN` or `input:api-key`. */
export type ConfigQuestion = {
  id: string;
  label: string;
  secret: boolean;
  default?: string;
  /** The only answers that the file allows. */
  options?: string[];
};
