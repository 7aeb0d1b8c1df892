import type { OwnToolName } from '../../types/tools/own-tool-rules.ts';
import { isServer } from '../../types/tools/tool-source.ts';
import type { OfferedTool } from '../../types/tools/tool.ts';
import type { ActionName } from '../page/actions/act.ts';
import { quoted, refParameter as ref, refTabParameter as tab, type OwnTool } from './own-tool.ts';

/** How servers name the tool that clicks as a user does: playwright-mcp, and chrome-devtools-mcp, whose `click` takes a `uid`. */
const clicksTrusted = ({ serverId, toolName, inputSchema }: OfferedTool): boolean =>
  isServer(serverId) &&
  (toolName === 'browser_click' ||
    (toolName === 'click' && Object.hasOwn(Object(inputSchema['properties']), 'uid')));

/** What else than the user gives a page trusted input, of the tools that a chat has; empty where nothing does. */
export function trustedInputOf(tools: OfferedTool[]): string {
  const found = tools.find(clicksTrusted);
  return found
    ? `, or ${found.name} and its like of the server ${quoted(found.serverName)}: their input is trusted, in the browser that they drive`
    : '';
}

const does =
  (name: ActionName): OwnTool['run'] =>
  ({ act }, call, args) =>
    act(call, args, name);

/** What these do is the page's matter: it may send or destroy something. */
const annotations = { openWorldHint: true };

/** Tools that act in a page. */
export const actionTools = {
  click: {
    description: 'Clicks an element, and tells what came of it.',
    parameters: {
      tab,
      ref,
      button: { enum: ['left', 'middle', 'right'] },
      count: { type: 'integer', minimum: 1, maximum: 3 },
      modifiers: { type: 'array', items: { enum: ['Control', 'Shift', 'Alt', 'Meta'] } },
    },
    required: ['ref'],
    annotations,
    run: does('click'),
  },
  drag: {
    description: 'Drags an element onto another.',
    parameters: { tab, from: ref, to: ref },
    required: ['from', 'to'],
    annotations,
    run: does('drag'),
  },
  fill_form: {
    description: 'Fills in fields: text, true or false, an option, 2026-12-31, #ff0000.',
    parameters: {
      tab,
      fields: {
        type: 'array',
        minItems: 1,
        maxItems: 50,
        items: {
          type: 'object',
          properties: { ref, value: { type: 'string' } },
          required: ['ref', 'value'],
          additionalProperties: false,
        },
      },
    },
    required: ['fields'],
    annotations,
    run: does('fill_form'),
  },
  // OK may destroy or send what the page asks about, so it counts as what sends a form (`submits`).
  handle_dialog: {
    description: 'Before an action: answers the dialog it will open.',
    parameters: { tab, accept: { type: 'boolean' }, text: { type: 'string' } },
    required: ['accept'],
    annotations,
    run: ({ answerDialog }, call, args) => {
      const { accept, text } = args;
      return answerDialog(call, args, { accept: accept === true, ...(typeof text === 'string' && { text }) });
    },
  },
  hover: {
    description: 'Moves the pointer onto an element.',
    parameters: { tab, ref },
    required: ['ref'],
    annotations: { destructiveHint: false, openWorldHint: true },
    run: does('hover'),
  },
  press_key: {
    description:
      'Presses Enter, ArrowDown, Control+a or the like on an element, else on what had the focus when it was asked for.',
    parameters: { tab, key: { type: 'string', minLength: 1, maxLength: 40 }, ref },
    required: ['key'],
    annotations,
    run: does('press_key'),
  },
  // A page may load more at its end, and nothing else comes of it.
  scroll: {
    description: 'Scrolls the page, in an element, or to it.',
    parameters: {
      tab,
      ref,
      direction: { enum: ['up', 'down', 'left', 'right'] },
      amount: { type: 'integer', minimum: 1, description: 'Pixels' },
    },
    annotations: { destructiveHint: false, openWorldHint: false },
    run: does('scroll'),
  },
  select_option: {
    description: 'Chooses options of a list by their names.',
    parameters: { tab, ref, values: { type: 'array', minItems: 1, items: { type: 'string' } } },
    required: ['ref', 'values'],
    annotations,
    run: does('select_option'),
  },
  set_checked: {
    description: 'Checks or unchecks a checkbox, switch or radio button.',
    parameters: { tab, ref, checked: { type: 'boolean' } },
    required: ['ref', 'checked'],
    annotations,
    run: does('set_checked'),
  },
  set_slider: {
    description: 'Moves a slider to a value.',
    parameters: { tab, ref, value: { type: 'number' } },
    required: ['ref', 'value'],
    annotations,
    run: does('set_slider'),
  },
  type_text: {
    description: 'Types into a field.',
    parameters: {
      tab,
      ref,
      text: { type: 'string' },
      clear: { type: 'boolean', description: 'Replace what is there' },
      submit: { type: 'boolean', description: 'Press Enter then' },
    },
    required: ['ref', 'text'],
    annotations,
    run: does('type_text'),
  },
  upload_file: {
    description: 'Gives a page files: attached ones by name, or result:<tool>, what it gave last.',
    parameters: {
      tab,
      ref: { type: 'string', description: 'File input, its button, or drop zone' },
      files: { type: 'array', minItems: 1, items: { type: 'string' } },
    },
    required: ['ref', 'files'],
    annotations,
    run: does('upload_file'),
  },
} satisfies Partial<Record<OwnToolName, OwnTool>>;
