import type { UserPlace } from './browsers.ts';

/** What a case knows of its model: the tools, and what stands in the last snapshot. */
export type Model = {
  /** Calls a tool for the case's tab. @returns what the model is told */
  call: (name: string, args?: object) => Promise<string>;
  /** The reference of an element by role and name, in a new snapshot. @throws Error where none has it */
  ref: (role: string, name: Name, which?: number) => Promise<string>;
  /** What is found in a new snapshot, which is taken again while it is not there. @throws Error where it does not come */
  find: (what: string, refOf: (seen: string) => string | undefined) => Promise<string>;
  /** The origin whose frames the pages have. */
  other: string;
  /** The pages' own origin. */
  site: string;
};
type Name = string | RegExp;
export type Step = (model: Model) => Promise<unknown>;

/** One thing that a user would ask for in a page, and the page's own word on whether it came about. */
export type Case = {
  name: string;
  /** A page of tests/zoo/pages. */
  page: string;
  steps: Step[];
  /** An expression, evaluated in the page. */
  check: string;
  /** By design an extension without `debugger` cannot do it, and has to say so. */
  expected?: 'honest failure';
  /** The same while the user is in another tab: it takes a page that is drawn. */
  expectedBehind?: 'honest failure';
  /** It has no `needs` tool yet, or the browser lacks what the page is made with: then it is left out. */
  needs?: string;
  /** It runs in `npm test`, too. */
  isQuick?: true;
  /** Where the user is, whatever is chosen for all. */
  user?: UserPlace;
};

export type Group = { group: string; cases: Case[] };

export const click =
  (role: string, name: Name, more: object = {}, which = 0): Step =>
  async ({ call, ref }) =>
    call('click', { ref: await ref(role, name, which), ...more });

export const type =
  (role: string, name: Name, text: string, more: object = {}, which = 0): Step =>
  async ({ call, ref }) =>
    call('type_text', { ref: await ref(role, name, which), text, ...more });

export const choose =
  (role: string, name: Name, ...values: string[]): Step =>
  async ({ call, ref }) =>
    call('select_option', { ref: await ref(role, name), values });

export const fill =
  (...fields: [role: string, name: Name, value: string][]): Step =>
  async ({ call, ref }) => {
    const found: { ref: string; value: string }[] = [];
    for (const [role, name, value] of fields) found.push({ ref: await ref(role, name), value });
    return call('fill_form', { fields: found });
  };

/** On what has the focus, unless told. */
export const press =
  (key: string, role = '', name: Name = ''): Step =>
  async ({ call, ref }) =>
    call('press_key', { key, ...(role !== '' && { ref: await ref(role, name) }) });

export const hover =
  (role: string, name: Name): Step =>
  async ({ call, ref }) =>
    call('hover', { ref: await ref(role, name) });

/** Of the page, unless told. */
export const scroll =
  (more: object, role = '', name: Name = ''): Step =>
  async ({ call, ref }) =>
    call('scroll', { ...more, ...(role !== '' && { ref: await ref(role, name) }) });

export const drag =
  (from: [role: string, name: Name], to: [role: string, name: Name]): Step =>
  async ({ call, ref }) =>
    call('drag', { from: await ref(...from), to: await ref(...to) });

export const waitFor =
  (args: object): Step =>
  ({ call }) =>
    call('wait_for', args);

/** Lets the chat act in frames of the other site, of which it has to have read something. */
export const readOther: Step = ({ call, other }) => call('open_tab', { url: `${other}/blank` });
