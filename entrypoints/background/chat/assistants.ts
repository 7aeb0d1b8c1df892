import type { Request } from '../../../lib/protocol/commands.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import type { Assistant } from '../../../lib/types/conversation.ts';
import { requireChoice } from './chat-input.ts';
import { requireText } from '../input.ts';

/** The user's saved ways to ask. */
export function createAssistants(db: Database, changed: () => Promise<void>) {
  async function save(input: Request<'saveAssistant'>): Promise<{ id: number }> {
    const { providerId = null, model = null, settings = {}, tools } = requireChoice(input);
    const name = requireText(input.name, 'name');
    const row = { name, providerId, model, settings, ...(tools && { tools }) };
    const id = await db.put('assistants', {
      ...row,
      ...(input.id !== undefined && { id: input.id }),
    } as Assistant);
    await changed();
    return { id };
  }

  async function remove({ id }: { id: number }): Promise<void> {
    await db.delete('assistants', id);
    await changed();
  }

  return { save, remove };
}
