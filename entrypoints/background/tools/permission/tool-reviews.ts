import type { Request } from '../../../../lib/protocol/commands.ts';
import type { ToolReview } from '../../../../lib/protocol/tools.ts';
import { setTool } from '../../../../lib/storage/configuration/tools.ts';
import type { Database } from '../../../../lib/storage/schema.ts';
import { fingerprint } from '../../../../lib/trust/fingerprint.ts';
import { definitionOf, type Tool } from '../../../../lib/types/tools/server-tool.ts';
import type { SkillEntry } from '../../../../lib/types/tools/skill.ts';
import { OWN_TOOLS } from '../../../../lib/types/tools/tool-source.ts';
import { definitionChanged, requireCallable } from './call-refusals.ts';

/** Where it is, and what it is called. */
export type Skill = SkillEntry & { uri: string; name: string };

/** Whether the user loads a skill into any chat without a question, as it is now: one of their own, or one that they allowed. */
export const isSkillAllowed = ({
  serverId,
  permission,
  skill,
}: Pick<Tool, 'serverId' | 'permission' | 'skill'>): boolean =>
  serverId === OWN_TOOLS || (permission === 'allow' && skill?.resources !== 'dynamic');

/** What the user has to look at. Of a skill that was never allowed all of it is new. */
export function reviewOf({ review, ...tool }: Tool): ToolReview | undefined {
  if (!review && (!tool.skill || isSkillAllowed(tool))) return undefined;
  return { ...review, now: definitionOf(tool) };
}

/** What the user chose of tools and skills as they were shown. `changed`: the configuration that pages show is stale. */
export function createToolReviews(db: Database, changed: () => Promise<void>) {
  /**
   * A skill that the user chose. `seen`: the fingerprint of what they were shown of it, which allows it until it changes.
   * @throws AppError `definition_changed` when it is another one by now, or was not allowed
   */
  async function chosenSkill({ serverId, uri, fingerprint: seen }: Request<'attachSkill'>): Promise<Skill> {
    const tool = await db.get('tools', [serverId, uri]);
    requireCallable(tool);
    const { skill, permission: chosen, title = uri } = tool;
    const isShown = seen !== undefined && seen === (await fingerprint(tool));
    if (!skill || (!isShown && !isSkillAllowed(tool))) throw definitionChanged(title);
    if (isShown && chosen !== 'allow') {
      const isSame = await setTool(db, serverId, uri, { permission: 'allow' }, tool);
      if (!isSame) throw definitionChanged(title);
      await changed();
    }
    return { ...skill, uri, name: title };
  }

  /** False, and nothing is changed, when the tool is not any more what the page showed. */
  async function setShown(
    serverId: number,
    { name, fingerprint: seen }: { name: string; fingerprint: string },
    choices: Parameters<typeof setTool>[3],
  ): Promise<boolean> {
    const tool = await db.get('tools', [serverId, name]);
    if (!tool || (await fingerprint(tool)) !== seen) return false;
    return setTool(db, serverId, name, choices, tool);
  }

  async function choose({
    serverId,
    name,
    fingerprint: seen,
    ...choices
  }: Request<'setTool'>): Promise<void> {
    if (seen === undefined) await setTool(db, serverId, name, choices);
    else if (!(await setShown(serverId, { name, fingerprint: seen }, choices))) throw definitionChanged(name);
    await changed();
  }

  /** Pins tools as a page showed them. @throws AppError `definition_changed` when one is another by now: it is left as it was */
  async function accept({ serverId, tools }: Request<'acceptTools'>): Promise<void> {
    const changedSince: string[] = [];
    for (const tool of tools)
      if (!(await setShown(serverId, tool, { accepted: true }))) changedSince.push(tool.name);
    await changed();
    if (changedSince.length > 0) throw definitionChanged(changedSince.join(', '));
  }

  return { chosenSkill, choose, accept };
}
