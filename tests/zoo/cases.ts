import type { Group } from './case.ts';
import * as components from './cases/components.ts';
import { dialogs } from './cases/dialogs.ts';
import { editors } from './cases/editors.ts';
import { forms, keys } from './cases/forms.ts';
import { files, gates, later, takenBack, travel } from './cases/gates.ts';
import * as lists from './cases/lists.ts';
import * as pages from './cases/pages.ts';

/** All of the zoo. Its pages are in tests/zoo/pages. */
export const groups: Group[] = [
  pages.buttons,
  pages.overlays,
  pages.rerendered,
  pages.drawnLate,
  pages.frames,
  pages.shadowTrees,
  pages.lists,
  forms,
  keys,
  gates,
  takenBack,
  dialogs,
  travel,
  lists.select2,
  lists.react,
  lists.choices,
  lists.flatpickr,
  lists.jqueryUi,
  components.material,
  components.ui5,
  editors,
  later,
  files,
];

/** Of each group a few, for `npm test`, in six parts with the names of their groups; `npm run zoo` plays all. */
export const quick = [0, 1, 2, 3, 4, 5].map((part) => {
  const played = groups
    .filter((_, at) => at % 6 === part)
    .map(({ group, cases }) => ({ group, cases: cases.filter(({ isQuick }) => isQuick) }));
  return [played.map(({ group }) => group).join(', '), played] as const;
});
