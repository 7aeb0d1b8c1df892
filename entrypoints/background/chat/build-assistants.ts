import { coalesced } from '../../../lib/async.ts';
import { loadSetting } from '../../../lib/storage/configuration/settings.ts';
import { buildMenu } from '../browser/context-menu.ts';
import type { Core } from '../core.ts';
import type { ToolParts } from '../tools/build-tools.ts';
import { createAssistants } from './assistants.ts';
import { createOwnSkills } from './own-skills.ts';
import { createProjects } from './projects.ts';
import { createPrompts } from './prompts.ts';

export type AssistantParts = ReturnType<typeof buildAssistants>;

/** What the user writes for their chats: assistants, projects, prompts and skills. */
export function buildAssistants({ db, speak, setupChanged, tools }: Core & ToolParts) {
  const updateMenu = coalesced(async () => {
    await speak();
    await buildMenu(await db.getAll('prompts'), await loadSetting(db, 'starters'));
  });
  const promptsChanged = async () => {
    await tools.syncOwn();
    await Promise.all([setupChanged(), updateMenu()]);
  };
  return {
    updateMenu,
    promptsChanged,
    assistants: createAssistants(db, setupChanged),
    projects: createProjects(db, setupChanged),
    prompts: createPrompts(db, promptsChanged),
    ownSkills: createOwnSkills(db, promptsChanged),
  };
}
