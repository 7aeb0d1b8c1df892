import type { Managed } from './fleet.ts';
import type { ModelApi, PresetId } from './model.ts';

export type Provider = {
  id: number;
  name: string;
  managed?: Managed;
  preset: PresetId;
  /** Up to and including the version, e.g. `http://127.0.0.1:11434/v1`. */
  baseUrl: string;
  /** Absent: that of its preset (`apiOf`). */
  api?: ModelApi;
  /** The model of chats that name none. */
  model: string;
  hasKey: boolean;
  /** Names of the headers that are kept in `secrets`. */
  headerNames: string[];
};
