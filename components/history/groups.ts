import { en } from '../../locales/en.ts';
import type { ListedConversation } from '../../lib/protocol/chats.ts';

export type HistoryGroup = { title: string; conversations: ListedConversation[] };

const DAY_MS = 86_400_000;

/** Pinned conversations, then the others by when they were last used, newest first, in the reader's own days. */
export function groupsOf(conversations: ListedConversation[], now: Date): HistoryGroup[] {
  const groups: HistoryGroup[] = [];
  const sorted = conversations.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt));
  const pinned = sorted.filter(({ pinnedAt }) => pinnedAt !== undefined);
  if (pinned.length > 0) groups.push({ title: en.history.pinned, conversations: pinned });
  for (const conversation of sorted.filter(({ pinnedAt }) => pinnedAt === undefined)) {
    const title = titleOf(new Date(conversation.updatedAt), now);
    const last = groups.at(-1);
    if (last?.title === title) last.conversations.push(conversation);
    else groups.push({ title, conversations: [conversation] });
  }
  return groups;
}

const midnight = (date: Date): number =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();

/** Rounded, because a day of the clock change has 23 or 25 hours. */
const daysAgo = (date: Date, now: Date): number => Math.round((midnight(now) - midnight(date)) / DAY_MS);

function titleOf(date: Date, now: Date): string {
  const days = daysAgo(date, now);
  if (days <= 0) return en.history.today;
  if (days === 1) return en.history.yesterday;
  if (days <= 7) return en.history.week;
  const sameYear = date.getFullYear() === now.getFullYear();
  return date.toLocaleDateString('en', { month: 'long', ...(!sameYear && { year: 'numeric' }) });
}

/** 19:42 for the last two days, a weekday for the last week, else 14 Nov. */
export function whenOf(iso: string, now: Date): string {
  const date = new Date(iso);
  const days = daysAgo(date, now);
  if (days <= 1) return date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  if (days <= 7) return date.toLocaleDateString('en', { weekday: 'short' });
  return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
}

/** 5 min ago, 2 h ago, Yesterday, else as in the list. */
export function agoOf(iso: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - Date.parse(iso)) / 60_000);
  const days = daysAgo(new Date(iso), now);
  if (days === 1) return en.history.yesterday;
  if (days > 1) return whenOf(iso, now);
  return minutes < 60 ? en.history.minutesAgo(minutes) : en.history.hoursAgo(Math.floor(minutes / 60));
}
