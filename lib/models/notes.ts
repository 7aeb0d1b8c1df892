import * as modelErrors from '../../locales/errors/models.ts';
import type { Learned } from '../types/model.ts';
import { type Asked, type Failure, hostOf, toldLine } from './failure.ts';
import type { Lesson } from './learn.ts';

/** What the person chose; nobody misses the rest. */
const SETTINGS: Record<string, string> = {
  temperature: modelErrors.notes.temperature,
  max_tokens: modelErrors.notes.length,
  max_completion_tokens: modelErrors.notes.length,
  reasoning_effort: modelErrors.notes.effort,
  reasoning: modelErrors.notes.effort,
};

/** Sentences for the person: what a lesson leaves out of the next request, in the words of who refused it. */
export function notesOf(failure: Failure, before: Learned, lesson: Lesson, asked: Asked): string[] {
  const after = lesson.learned;
  const lost = (trait: 'tools' | 'vision') =>
    after.traits?.[trait] === false && before.traits?.[trait] !== false;
  const dropped = (after.dropped ?? []).filter((entry) => !before.dropped?.includes(entry));
  const left = [
    ...(lost('tools') ? [modelErrors.notes.tools] : []),
    ...(lost('vision') || lesson.withoutPictures ? [modelErrors.notes.pictures] : []),
    ...dropped.flatMap(settingIn),
  ];
  const words = 'detail' in failure ? toldLine(failure.detail, asked) : '';
  return left.map((what) => modelErrors.notes.refused(hostOf(asked.baseUrl), what, words));
}

/** `temperature=1.5` as “the temperature 1.5”. */
function settingIn(entry: string): string[] {
  const [name = '', value] = entry.split('=');
  const setting = Object.hasOwn(SETTINGS, name) ? SETTINGS[name] : undefined;
  if (setting === undefined) return [];
  return [value === undefined ? setting : `${setting} ${value}`];
}
