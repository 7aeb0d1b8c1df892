import * as z from 'zod/mini';
import { readCron } from '../../../lib/cron.ts';
import type { Request } from '../../../lib/protocol/commands.ts';
import type { Schedule, ScheduleInput } from '../../../lib/types/schedule.ts';
import { t } from '../../../locales/texts/errors.ts';
import { requireChoice } from '../chat/chat-input.ts';
import { requirePrompt } from '../chat/prompts.ts';
import { invalid } from '../input.ts';

const limitShape = z.object({
  tokens: z.optional(z.int().check(z.positive())),
  cost: z.optional(z.number().check(z.positive())),
});
const shape = z.object({
  rhythm: z.union([z.object({ once: z.string() }), z.object({ cron: z.string() })]),
  missed: z.literal(['run', 'skip']),
  allows: z.literal(['reads', 'usual']),
  perRun: limitShape,
  perMonth: limitShape,
} satisfies Partial<Record<keyof Schedule, z.ZodMiniType>>);

/** @throws AppError `invalid_input` */
export function requireSchedule(input: Request<'saveSchedule'>): Omit<ScheduleInput, 'id'> {
  const { name, text } = requirePrompt({ name: input.name, text: input.text });
  const { providerId = null, model = null, settings = {}, tools } = requireChoice(input);
  const read = z.safeParse(shape, input);
  if (!read.success) throw invalid(t(($) => $.errors.schedules.malformed));
  const { rhythm } = read.data;
  if ('cron' in rhythm && 'fault' in readCron(rhythm.cron))
    throw invalid(t(($) => $.errors.schedules.malformed));
  return {
    name,
    text,
    providerId,
    model,
    settings,
    ...(tools && { tools }),
    ...(read.data as Pick<Schedule, keyof typeof read.data>),
  };
}
