import type { Learned } from '../types/model.ts';
import { type Asked, type Failure, hostOf, toldLine } from './failure.ts';
import type { Lesson } from './learn.ts';

/** What the person chose; nobody misses the rest. */
const SETTINGS: Record<string, string> = {
  temperature: 'the temperature',
  max_tokens: 'the limit of the answer’s length',
  max_completion_tokens: 'the limit of the answer’s length',
  reasoning_effort: 'the reasoning effort',
  reasoning: 'the reasoning effort',
};

/** Sentences for the person: what a lesson leaves out of the next request, in the words of who refused it. */
export function notesOf(failure: Failure, before: Learned, lesson: Lesson, asked: Asked): string[] {
  const after = lesson.learned;
  const lost = (trait: 'tools' | 'vision') =>
    after.traits?.[trait] === false && before.traits?.[trait] !== false;
  const dropped = (after.dropped ?? []).filter((entry) => !before.dropped?.includes(entry));
  const left = [
    ...(lost('tools') ? ['tools'] : []),
    ...(lost('vision') || lesson.withoutPictures ? ['pictures'] : []),
    ...dropped.flatMap(settingIn),
  ];
  const words = 'detail' in failure ? toldLine(failure.detail, asked) : '';
  return left.map((what) => {
    const it = what === 'tools' || what === 'pictures' ? 'them' : 'it';
    return `${hostOf(asked.baseUrl)} refused ${what}${words && ` (“${words}”)`}, so this answer was written without ${it}.`;
  });
}

/** `temperature=1.5` as “the temperature 1.5”. */
function settingIn(entry: string): string[] {
  const [name = '', value] = entry.split('=');
  const setting = Object.hasOwn(SETTINGS, name) ? SETTINGS[name] : undefined;
  if (setting === undefined) return [];
  return [value === undefined ? setting : `${setting} ${value}`];
}
