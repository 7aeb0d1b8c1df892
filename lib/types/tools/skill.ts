/** The one tool by which a model loads skills (SEP-2640). */
export const USE_SKILL = 'use_skill';
/** Tokens of it, without what it says of each skill. */
export const USE_SKILL_TOKENS = 239;

/** Begins the offered names of skills, and of no tool. */
export const SKILL_PREFIX = 'skill__';

/** Of the offered name of a call. */
export const isSkillCall = ({ namespacedName }: { namespacedName: string }): boolean =>
  namespacedName.startsWith(SKILL_PREFIX);

/** One file of a skill: `digest` is `sha256:` and 64 hexadecimal digits, `size` in bytes. */
export type SkillFileEntry = { uri: string; digest: string; size: number };

/**
 * What a server lists of a skill besides its address: what its SKILL.md says of itself, and every file of it. What is allowed,
 * and what is read, is bound to these. `dynamic`: the files are made anew each time, and nothing can be bound to them.
 */
export type SkillEntry = { frontmatter: Record<string, unknown>; resources: SkillFileEntry[] | 'dynamic' };

/** The arguments of a load, which goes to this skill: by its offered name or its address. */
export const skillSchema = (offeredName: string, uri: string): Record<string, unknown> => ({
  type: 'object',
  properties: {
    skill: { enum: [offeredName, uri] },
    server: { type: 'string' },
    file: { type: 'string', maxLength: 2_000 },
  },
  additionalProperties: false,
});
