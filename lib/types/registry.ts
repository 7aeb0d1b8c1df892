/** The official one (https://github.com/modelcontextprotocol/registry). */
export const REGISTRY_URL = 'https://registry.modelcontextprotocol.io';

/** A server as a registry lists it, in its newest version. All of it is what its publisher says. */
/**
 * A page of a registry's list as it came (GET /v0.1/servers of
 * https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/api/openapi.yaml).
 */
export type RegistryPage = { servers: unknown[]; metadata?: unknown };

export const isRegistryPage = (value: unknown): value is RegistryPage =>
  typeof value === 'object' && value !== null && 'servers' in value && Array.isArray(value.servers);

export type RegistryEntry = {
  /** E.g. `io.github.owner/server`: its publisher owns what stands before the slash. */
  name: string;
  title: string;
  description: string;
  version: string;
  isDeprecated: boolean;
  /** Where to read about it. */
  website?: string;
  /** Ways to use it. */
  choices: RegistryChoice[];
};

export type RegistryChoice = {
  /** Where a remote server is, or the program that starts a package. */
  by: string;
  /** The address or the package. */
  what: string;
  /** As a configuration file has it (lib/config-file), with what the user has to give as its `inputs`. */
  config: string;
  /** Optional arguments that were left out. */
  leftOut: string[];
};
