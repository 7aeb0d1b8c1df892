import { en } from '../../locales/en.ts';
import type { ListedConversation } from '../../lib/protocol.ts';

export type HistoryGroup = { title: string; conversations: ListedConversation[] };

const DAY_MS = 86_400_000;

/** Conversations by when they were last used, newest first, in the reader's own days. */
export function groupsOf(conversations: ListedConversation[], now: Date): HistoryGroup[] {
  const groups: HistoryGroup[] = [];
  for (const conversation of conversations.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt))) {
    const title = titleOf(new Date(conversation.updatedAt), now);
    const last = groups.at(-1);
    if (last?.title === title) last.conversations.push(conversation);
    else groups.push({ title, conversations: [conversation] });
  }
  return groups;
}

const midnight = (date: Date): number =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();

function titleOf(date: Date, now: Date): string {
  // Rounded, because a day of the clock change has 23 or 25 hours.
  const days = Math.round((midnight(now) - midnight(date)) / DAY_MS);
  if (days <= 0) return en.history.today;
  if (days === 1) return en.history.yesterday;
  if (days <= 7) return en.history.week;
  const sameYear = date.getFullYear() === now.getFullYear();
  return date.toLocaleDateString('en', { month: 'long', ...(!sameYear && { year: 'numeric' }) });
}

/** 19:42 for the last two days, a weekday for the last week, else 14 Nov. */
export function whenOf(iso: string, groupTitle: string): string {
  const date = new Date(iso);
  if (groupTitle === en.history.today || groupTitle === en.history.yesterday) {
    return date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  }
  if (groupTitle === en.history.week) return date.toLocaleDateString('en', { weekday: 'short' });
  return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
}
