import { parseSync } from 'vite';

export type Found = { line: number; text: string };
type Node = { type: string; start: number } & Record<string, unknown>;

/** In a text found in source: where a template puts a value. */
const HOLE = '\0';
/** Two words side by side, or one beside what a template puts in. */
const WORDS = /\p{L}{2,}[^\p{L}\s\0]* [^\p{L}\s\0]*(\p{L}{2,}|\0)|\0[^\p{L}\s\0]* [^\p{L}\s\0]*\p{L}{2,}/u;
/** What protocols and formats are made of. */
const SYNTAX =
  /^(HTTP |Bearer |Basic |Location: |application\/json, |finish_reason: |Streamable HTTP$|LM Studio$|Azure OpenAI$)/;
/** What is said in one word, too, if it stands in one of these: properties, and attributes of elements. */
const SPOKEN =
  /^(message|cause|fix|title|label|placeholder|help|hint|alt|aria-(label|description|valuetext))$/;
/** Attributes, of JSX or of an element, that hold names. */
const UNSPOKEN = /^(class|\w+Class|className|rel|style)$/;
/** Calls whose arguments are read by who looks for a fault in Portside, by a server, or by the platform. */
const NOT_FOR_PEOPLE = /^(console|Error|ProtocolError|focus|querySelector(All)?|closest|matches|split|raw)$/;

/** The texts of a source file that look as if a person reads them. `name` tells the language. */
export function findText(name: string, source: string): Found[] {
  const found: Found[] = [];
  const note = (node: Node, text: string): void => {
    const line = source.slice(0, node.start).split('\n').length;
    found.push({ line, text: text.replaceAll(HOLE, '…').trim() });
  };
  const look = (value: unknown, spoken: boolean): void => {
    if (Array.isArray(value)) return value.forEach((each) => look(each, spoken));
    if (!isNode(value) || isUnspoken(value)) return undefined;
    const text = textOf(value);
    if (text !== undefined && !SYNTAX.test(text) && (WORDS.test(text) || (spoken && /\p{L}/u.test(text)))) {
      note(value, text);
    }
    const through = spoken && /^(JSXExpression|Conditional|Logical)/.test(value.type);
    for (const [key, part] of Object.entries(value)) {
      look(part, isSpoken(value, key) || (through && key !== 'test'));
    }
  };
  look(parseSync(name, source).program, false);
  return found;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** A text with holes; undefined of what is none. */
function textOf(node: Node): string | undefined {
  if (node.type === 'JSXText') return String(node['value']).trim();
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type !== 'TemplateLiteral') return undefined;
  const quasis = node['quasis'] as { value: { cooked: string } }[];
  return quasis.map(({ value }) => value.cooked).join(HOLE);
}

/** Whether what stands under `key` is shown as it is. */
function isSpoken(node: Node, key: string): boolean {
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') return key === 'children';
  const isNamed = node.type === 'JSXAttribute' || (node.type === 'Property' && node['computed'] === false);
  return isNamed && key === 'value' && SPOKEN.test(nameOf(node['name'] ?? node['key']));
}

/** Types, imports, and what no user reads. */
function isUnspoken(node: Node): boolean {
  if (/^(Import|ExportAll|TS(?!AsExpression|SatisfiesExpression|NonNull))/.test(node.type)) return true;
  if (node.type === 'JSXAttribute') return UNSPOKEN.test(nameOf(node['name']));
  if (node.type === 'Property') return UNSPOKEN.test(nameOf(node['key']));
  if (node.type === 'AssignmentExpression') return UNSPOKEN.test(nameOf(node['left']));
  if (node.type === 'TaggedTemplateExpression') return NOT_FOR_PEOPLE.test(nameOf(node['tag']));
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return false;
  const callee = node['callee'] as Node;
  return NOT_FOR_PEOPLE.test(nameOf(callee)) || NOT_FOR_PEOPLE.test(nameOf(callee['object']));
}

/** The last name in `a.b`, or the text of a literal; '' of anything else. */
function nameOf(node: unknown): string {
  if (!isNode(node)) return '';
  if (node.type === 'MemberExpression') return nameOf(node['property']);
  return String(node['name'] ?? node['value'] ?? '');
}
