import type { Message } from '../types/message.ts';

/**
 * Rows and all before them that is here or came along, by id: whether everything before is there. Each is looked at once, since
 * branches share nearly all of their rows.
 */
export function branchesOf(
  rows: Iterable<Pick<Message, 'id'>>,
  byId: ReadonlyMap<string, Pick<Message, 'parentId'>>,
): Map<string, boolean> {
  const whole = new Map<string, boolean>();
  for (const row of rows) {
    const walked: string[] = [];
    let id: string | null = row.id;
    while (id !== null && !whole.has(id)) {
      const each = byId.get(id);
      if (!each) break;
      whole.set(id, false); // as a circle stays
      walked.push(id);
      id = each.parentId;
    }
    const isWhole = id === null || whole.get(id) === true;
    for (const each of walked) whole.set(each, isWhole);
  }
  return whole;
}
