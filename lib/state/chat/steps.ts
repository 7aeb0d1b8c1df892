import { withoutControlTokens } from '../../control-tokens.ts';
import { withoutInvisible } from '../../invisible.ts';
import { parseJson, recordOf } from '../../json.ts';
import { isAddressed } from '../../types/site-rule.ts';
import type { ToolCall } from '../../types/tools/tool-call.ts';
import { OWN_TOOLS } from '../../types/tools/tool-source.ts';
import { t } from '../../../locales/texts/panel.ts';

/** Characters of what others named: an element, a tool, an argument. */
const LONGEST = 60;
/** Characters of a piece of an address with letters and digits, which is no word. */
const LONGEST_WORD = 20;
/** A name that needs no quotation marks. */
const PLAIN = /^[\p{L}\p{N}_.:/-]+$/u;
/** A key that types nothing, or does not by what is held with it. */
const NAMED_KEY =
  /^(?:(?:Control|Alt|Meta|Shift)\+)*(?:Enter|Tab|Escape|Backspace|Delete|Space|Home|End|PageUp|PageDown|Arrow(?:Up|Down|Left|Right)|F\d\d?|(?<=(?:Control|Alt|Meta)\+)\S)$/;

type Args = Record<string, unknown>;
type Step = (args: Args, of: StepContext) => string[];
/** What a call's step is told with. */
type StepContext = {
  element: (ref: unknown) => string;
  /** What stands for a value, named after an element. */
  valueOf: (ref: unknown, value: unknown) => string;
  value: (name: string, value: unknown) => string;
};

/** What is told of Portside's own tools. Others of them only look. */
const OWN: Record<string, Step> = {
  open_tab: ({ url }, { value }) => openStep(url, value),
  navigate: ({ url }, { value }) => openStep(url, value),
  fetch_url: ({ url }, { value }) => [t(($) => $.steps.read, { address: addressOf(url, value) })],
  go_back: () => [t(($) => $.steps.back)],
  go_forward: () => [t(($) => $.steps.forward)],
  reload: () => [t(($) => $.steps.reload)],
  close_tab: () => [t(($) => $.steps.close)],
  ask_user: () => [t(($) => $.steps.askMe)],
  click: ({ ref, tab: _tab, ...how }, { element }) => [
    t(($) => $.steps.press, { element: element(ref) }) +
      (Object.keys(how).length > 0 ? ` (${written(how)})` : ''),
  ],
  hover: ({ ref }, { element }) => [t(($) => $.steps.point, { element: element(ref) })],
  drag: ({ from, to }, { element }) => [
    t(($) => $.steps.drag, { element: element(from), other: element(to) }),
  ],
  press_key: ({ key, ref }, { element, value }) => {
    const shown = NAMED_KEY.test(String(key)) ? String(key) : value('key', key);
    return [pressStep(shown, ref === undefined ? undefined : element(ref))];
  },
  type_text: ({ ref, text, submit }, { element, valueOf }) => [
    t(($) => $.steps.fill, { element: element(ref), value: valueOf(ref, text) }),
    ...(submit === true ? [pressStep('Enter', element(ref))] : []),
  ],
  fill_form: ({ fields }, { element, valueOf }) =>
    (Array.isArray(fields) ? fields : []).map((field: unknown) => {
      const { ref, value } = Object(field) as Args;
      return t(($) => $.steps.fill, { element: element(ref), value: valueOf(ref, value) });
    }),
  select_option: ({ ref, values }, { element, valueOf }) => [
    t(($) => $.steps.choose, { element: element(ref), value: valueOf(ref, values) }),
  ],
  set_checked: ({ ref, checked }, { element }) => [
    checked === true
      ? t(($) => $.steps.check, { element: element(ref) })
      : t(($) => $.steps.uncheck, { element: element(ref) }),
  ],
  set_slider: ({ ref, value }, { element, valueOf }) => [
    t(($) => $.steps.set, { element: element(ref), value: valueOf(ref, value) }),
  ],
  upload_file: ({ ref, files }, { element, value }) => [
    t(($) => $.steps.upload, { element: element(ref), value: value('files', files) }),
  ],
};

/**
 * What these calls did, as a prompt that has it done again: a numbered line for each step. What was typed, chosen and given
 * is a variable, never the value; what others named is quoted, bounded and without what is invisible or marks turns, since the
 * user sends it as their own words.
 * @param calls those of an answer, in their order
 * @returns empty where they did nothing
 */
export function stepsOf(calls: ToolCall[]): string {
  const value = createVariables();
  const steps: string[] = [];
  let site: string | undefined;
  for (const call of calls) {
    const { serverId, toolName, status, reads, targets = {} } = call;
    if (status !== 'success' || serverId === null) continue;
    const args = argumentsOf(call);
    const own = serverId === OWN_TOOLS ? (Object.hasOwn(OWN, toolName) && OWN[toolName]) || null : undefined;
    if (own === null) continue;
    if (reads !== undefined && own && !isAddressed(call) && reads !== site) {
      site = reads;
      steps.push(t(($) => $.steps.page, { site: URL.parse(reads)?.host || plainText(reads) }));
    }
    steps.push(...(own ? own(args, stepContext(targets, value)) : callStep(call, args, value)));
    if (own && 'url' in args && toolName !== 'fetch_url') site = URL.parse(String(args['url']))?.origin;
  }
  // What keeps the parts of a sentence in order where it is only read would go to the model.
  const text = steps.map((step, at) => `${at + 1}. ${step.replaceAll(/[\u2068\u2069]/g, '')}`).join('\n');
  return withoutControlTokens(text);
}

function stepContext(targets: Record<string, string>, value: StepContext['value']): StepContext {
  const targetOf = (ref: unknown) =>
    parseTarget(Object.hasOwn(targets, String(ref)) ? targets[String(ref)] : undefined);
  return {
    value,
    element(ref) {
      const { role, name } = targetOf(ref);
      return [role || t(($) => $.steps.element), name && quoted(name)].filter(Boolean).join(' ');
    },
    valueOf(ref, given) {
      const { role, name } = targetOf(ref);
      return value((name || role || 'value').toLowerCase(), given);
    },
  };
}

/** A call of a server's tool, or of a page's. */
function callStep(call: ToolCall, args: Args, value: StepContext['value']): string[] {
  const tool = quotedName(call.toolName);
  const server = quotedName(call.serverName);
  const values = Object.entries(args).map(([name, given]) => `${quotedName(name)} = ${value(name, given)}`);
  return [
    values.length === 0
      ? t(($) => $.steps.call, { tool, server })
      : t(($) => $.steps.callWith, { tool, server, values: values.join(', ') }),
  ];
}

const pressStep = (key: string, element: string | undefined): string =>
  element === undefined ? t(($) => $.steps.key, { key }) : t(($) => $.steps.keyIn, { key, element });

const openStep = (url: unknown, value: StepContext['value']): string[] => [
  t(($) => $.steps.open, { address: addressOf(url, value) }),
];

/** An address without what it may give away: the user name in it, its parameters, and what looks like a key in its path. */
function addressOf(url: unknown, value: StepContext['value']): string {
  const parsed = URL.parse(String(url));
  if (!parsed) return value('address', url);
  const path = parsed.pathname.split('/').map((part) => (isOpaque(part) ? value('id', part) : part));
  const query = [...parsed.searchParams].map(
    ([name, given]) => `${encodeURIComponent(plainText(name))}=${value(name, given)}`,
  );
  return `${parsed.origin}${path.join('/')}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

const isOpaque = (part: string): boolean =>
  part.split(/[-_.~!]/).some((word) => word.length >= LONGEST_WORD && /\d/.test(word) && /\p{L}/u.test(word));

/** Gives each value a name: the same value of a name the same one, another value another one. */
function createVariables(): StepContext['value'] {
  const known = new Map<string, Map<string, number>>();
  return (wanted, value) => {
    const name = plainText(wanted) || 'value';
    const values = known.get(name) ?? new Map<string, number>();
    known.set(name, values);
    const argumentList = JSON.stringify(value) ?? '';
    const at = values.get(argumentList) ?? values.size;
    values.set(argumentList, at);
    return `{{${name}${at === 0 ? '' : ` ${at + 1}`}}}`;
  };
}

/** The role and the name of what is described as `button "Save"`. */
function parseTarget(target = ''): { role: string; name: string } {
  const [role = ''] = target.split(' ', 1);
  const written = /^ ("(?:[^"\\]|\\.)*")/.exec(target.slice(role.length))?.[1];
  return { role: plainText(role), name: written === undefined ? '' : plainText(String(JSON.parse(written))) };
}

/** On one line, without braces, which would make variables of it. */
function plainText(text: string): string {
  const seen = withoutInvisible(text)
    .text.replaceAll(/[{}"“”„«»「」״]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (seen.length <= LONGEST) return seen;
  // Half a character fits into no address.
  const cut = seen.slice(0, LONGEST - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${cut.trimEnd()}…`;
}

const quoted = (text: string): string => t(($) => $.quoted, { text });

function quotedName(name: string): string {
  const shown = plainText(name);
  return PLAIN.test(shown) ? shown : quoted(shown);
}

const written = (args: Args): string =>
  Object.entries(args)
    .map(
      ([name, given]) =>
        `${quotedName(name)} = ${plainText(Array.isArray(given) ? given.join('+') : String(given))}`,
    )
    .join(', ');

/** Of a call whose arguments are cut, since they are long, none. */
const argumentsOf = ({ arguments: text, edited }: ToolCall): Args => recordOf(parseJson(edited ?? text));
