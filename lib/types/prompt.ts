import type { Managed } from './fleet.ts';

/** A text of the user's own for the `/` menu. `{{name}}` stands for what is asked when it is used. */
export type SavedPrompt = {
  id: number;
  name: string;
  text: string;
  managed?: Managed;
  /** It is a skill: `text` is its SKILL.md, which says its name. */
  skill?: OwnSkill;
};

/** What a skill of the user's own has besides its SKILL.md; a page gets the files' paths alone. */
export type OwnSkill = { description: string; files: { path: string; text: string }[] };
