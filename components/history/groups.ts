import type { ListedConversation } from '../../lib/protocol/chats.ts';
import { dates } from '../../locales/dates.ts';
import { t } from '../../locales/texts/panel.ts';

/** `schedule`: the id of the one whose runs these are; `project`: the key of the one whose chats they are. */
export type HistoryGroup = {
  title: string;
  conversations: ListedConversation[];
  schedule?: number;
  project?: string;
};

type Filed = { key: string; name: string };

const DAY_MS = 86_400_000;

/** Pinned conversations, then those of each project and of each schedule, then the others by when they were last used, newest first, in the reader's own days. */
export function groupsOf(
  conversations: ListedConversation[],
  now: Date,
  projects: Filed[] = [],
): HistoryGroup[] {
  const groups: HistoryGroup[] = [];
  const sorted = conversations.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt));
  const pinned = sorted.filter(({ pinnedAt }) => pinnedAt !== undefined);
  if (pinned.length > 0) groups.push({ title: t(($) => $.history.pinned), conversations: pinned });
  const isFiled = ({ project }: ListedConversation): boolean => projects.some(({ key }) => key === project);
  const others = sorted.filter((each) => each.pinnedAt === undefined && !isFiled(each));
  for (const { key, name } of projects) {
    const own = sorted.filter(({ pinnedAt, project }) => pinnedAt === undefined && project === key);
    groups.push({ title: name, conversations: own, project: key });
  }
  for (const conversation of others) {
    const { schedule } = conversation;
    if (schedule) {
      const known = groups.find((group) => group.schedule === schedule.id);
      if (known) known.conversations.push(conversation);
      else groups.push({ title: schedule.name, conversations: [conversation], schedule: schedule.id });
    }
  }
  for (const conversation of others.filter(({ schedule }) => !schedule)) {
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
  if (days <= 0) return t(($) => $.history.today);
  if (days === 1) return t(($) => $.history.yesterday);
  if (days <= 7) return t(($) => $.history.week);
  const sameYear = date.getFullYear() === now.getFullYear();
  return dates.month(date.toISOString(), sameYear);
}

/** 19:42 for the last two days, a weekday for the last week, else 14 Nov. */
export function whenOf(iso: string, now: Date): string {
  const date = new Date(iso);
  const days = daysAgo(date, now);
  if (days <= 1) return dates.time(iso);
  if (days <= 7) return dates.weekday(iso);
  return dates.dayOfMonth(iso);
}

/** 5 min ago, 2 h ago, Yesterday, else as in the list. */
export function agoOf(iso: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - Date.parse(iso)) / 60_000);
  const days = daysAgo(new Date(iso), now);
  if (days === 1) return t(($) => $.history.yesterday);
  if (days > 1) return whenOf(iso, now);
  return minutes < 60
    ? minutes < 1
      ? t(($) => $.history.now)
      : t(($) => $.history.minutesAgo, { minutes })
    : t(($) => $.history.hoursAgo, { hours: Math.floor(minutes / 60) });
}
