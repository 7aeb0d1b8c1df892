import type { Commands } from '../../../lib/protocol/commands.ts';
import { deleteAssistant, putAssistant } from '../../../lib/storage/configuration/assistants.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { requireChoice } from './chat-input.ts';
import { requireText } from '../input.ts';

/** The user's saved ways to ask. */
export function createAssistants(db: Database, changed: () => Promise<void>) {
  async function save(input: Parameters<Commands['saveAssistant']>[0]): Promise<{ id: number }> {
    const { providerId = null, model = null, settings = {}, tools } = requireChoice(input);
    const name = requireText(input.name, 'name');
    const choice = { providerId, model, settings, ...(tools && { tools }) };
    const id = await putAssistant(db, {
      name,
      ...choice,
      ...(input.id !== undefined && { id: input.id }),
    });
    await changed();
    return { id };
  }

  async function remove({ id }: { id: number }): Promise<void> {
    await deleteAssistant(db, id);
    await changed();
  }

  return { save, remove };
}
