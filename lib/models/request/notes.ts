import type { Learned } from '../../types/model.ts';
import { type Asked, type Failure, hostOf, toldLine } from '../refusals/failure.ts';
import type { Lesson } from '../refusals/learn.ts';
import { t } from '../../../locales/texts/errors.ts';

/** What the user chose; the rest is left out without a note. */
const SETTINGS: Record<string, 'temperature' | 'length' | 'effort'> = {
  temperature: 'temperature',
  max_tokens: 'length',
  max_completion_tokens: 'length',
  max_output_tokens: 'length',
  reasoning_effort: 'effort',
  reasoning: 'effort',
};

/** Sentences for the user: what a lesson leaves out of the next request, in the words of who refused it. */
export function notesOf(failure: Failure, before: Learned, lesson: Lesson, asked: Asked): string[] {
  const after = lesson.learned;
  const lost = (trait: 'tools' | 'vision') =>
    after.traits?.[trait] === false && before.traits?.[trait] !== false;
  const dropped = (after.dropped ?? []).filter((entry) => !before.dropped?.includes(entry));
  const many = [
    ...(lost('tools') ? [t(($) => $.errors.models.notes.tools)] : []),
    ...(lost('vision') || lesson.withoutPictures ? [t(($) => $.errors.models.notes.pictures)] : []),
  ];
  const words = 'detail' in failure ? toldLine(failure.detail, asked) : '';
  const host = hostOf(asked.baseUrl);
  const told = { host, words: words || 'none' };
  return [
    ...many.map((what) => t(($) => $.errors.models.notes.refused, { ...told, what, isMany: true })),
    ...dropped
      .flatMap(settingIn)
      .map((what) => t(($) => $.errors.models.notes.refused, { ...told, what, isMany: false })),
  ];
}

/** `temperature=1.5` as “the temperature 1.5”. */
function settingIn(entry: string): string[] {
  const [name = '', value] = entry.split('=');
  const key = Object.hasOwn(SETTINGS, name) ? SETTINGS[name] : undefined;
  if (key === undefined) return [];
  const setting = t(($) => $.errors.models.notes[key]);
  return [value === undefined ? setting : `${setting} ${value}`];
}
