import { filledSystem, filesToSend, systemPrompt } from '../../../lib/agent/context/system-prompt.ts';
import { createFence } from '../../../lib/agent/context/fence.ts';
import { unfitTools } from '../../../lib/models/request/wire-request.ts';
import type { RunDeps } from '../../../lib/runs/deps.ts';
import { nonceOf } from '../../../lib/storage/chats/nonce.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { projectOf } from '../../../lib/storage/configuration/projects.ts';
import { loadSetting } from '../../../lib/storage/configuration/settings.ts';
import { isMemoryOn, MEMORY_TOOL, notesOf } from '../../../lib/types/note.ts';
import { OWN_TOOLS } from '../../../lib/types/tools/tool-source.ts';
import type { OfferedTool } from '../../../lib/types/tools/tool.ts';
import { withProjectTools } from '../../../lib/types/project.ts';
import { chatModel } from '../models/chat-model.ts';
import type { Models } from '../models/models.ts';
import { instructionsOf } from '../servers/offers.ts';
import type { ServerConnections } from '../servers/server-connections.ts';
import type { Providers } from '../models/providers.ts';
import type { createTools } from '../tools/tools.ts';

type Parts = {
  db: Database;
  providers: Providers;
  models: Models;
  tools: Pick<ReturnType<typeof createTools>, 'offer'>;
  servers: Pick<ServerConnections, 'offer'>;
  now: () => number;
};

/** What a run begins with: the model of its chat, and what that is told and offered. */
export function createPrepare({
  db,
  providers,
  models,
  tools: { offer },
  servers,
  now,
}: Parts): RunDeps['prepare'] {
  return async ({ by }, conversation) => {
    const [inAllChats, project] = await Promise.all([loadSetting(db, 'memory'), projectOf(db, conversation)]);
    const hasMemory = isMemoryOn(conversation.settings, inAllChats, project);
    const tools = withProjectTools(project, conversation.tools);
    const overrides = hasMemory ? tools : { ...tools, [MEMORY_TOOL]: false };
    const [model, maxTools, maxToolShare, general, found, nonce, kept] = await Promise.all([
      chatModel({ db, providers, models }, { ...conversation, ...by }),
      loadSetting(db, 'maxTools'),
      loadSetting(db, 'maxToolShare'),
      loadSetting(db, 'system'),
      offer(conversation.id, overrides),
      nonceOf(db, conversation.id),
      hasMemory ? db.getAll('notes') : [],
    ]);
    const toolLimit = { count: maxTools, share: maxToolShare / 100 };
    const unfit = unfitTools(found.tools).map(({ toolName }) => toolName);
    const { skillServers, ...offered } = found;
    const ofTools = offered.tools.map(({ serverId }) => serverId);
    const ids = model.callsTools ? [...ofTools, ...skillServers] : [];
    const from = new Set(ids.filter((id) => id !== null));
    const readsPages = model.callsTools && offered.tools.some(isReadPage);
    const language = navigator.language;
    const isOfFile = conversation.systemFromFile === true;
    const usual = filledSystem(general, { now: new Date(now()), language, readsPages });
    const own = isOfFile ? usual : (model.system ?? usual);
    const fence = createFence(nonce);
    const notes = notesOf(kept, conversation.settings, inAllChats, project);
    const files = filesToSend(project?.files ?? [], model.contextWindow);
    const said = await instructionsOf(db, servers, from);
    const ofChat = { ...(isOfFile && { fromFile: model.system }), notes, ...project, files };
    const system = systemPrompt(own, said, fence, ofChat);
    const notesFrom = [
      ...new Set([...notes.flatMap((note) => note.from ?? []), ...files.map(({ name }) => name)]),
    ];
    const instructedBy = said.map(({ serverId, name }) => ({ serverId, name }));
    return {
      ...model,
      ...offered,
      unfit,
      toolLimit,
      fence,
      system,
      ...(notesFrom.length > 0 && { notesFrom }),
      ...(instructedBy.length > 0 && { instructedBy }),
    };
  };
}

const isReadPage = ({ serverId, toolName }: OfferedTool): boolean =>
  serverId === OWN_TOOLS && toolName === 'read_page';
