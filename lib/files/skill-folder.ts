import type { OwnSkill } from '../types/prompt.ts';

export type FolderFile = { path: string; text: string };

const MANIFEST = 'SKILL.md';
/** The rules of Agent Skills: what a skill may be called, and how much it may say of itself. */
const NAME = /^[a-z0-9](?:-?[a-z0-9]){0,63}$/;
const LONGEST_DESCRIPTION = 1024;

/** The folders that hold skills; one within another is a part of that. */
export function skillFolders(files: FolderFile[]): FolderFile[][] {
  const roots = files
    .filter(({ path }) => path === MANIFEST || path.endsWith(`/${MANIFEST}`))
    .map(({ path }) => path.slice(0, -MANIFEST.length))
    .toSorted((one, other) => one.length - other.length);
  const outer = roots.filter((root, at) => !roots.slice(0, at).some((before) => root.startsWith(before)));
  return outer.map((root) =>
    files
      .filter(({ path }) => path.startsWith(root))
      .map(({ path, text }) => ({ path: path.slice(root.length), text })),
  );
}

/** A skill out of the files of its folder; undefined where SKILL.md does not say what it is called and what it is for. */
export function skillOf(files: FolderFile[]): { name: string; text: string; skill: OwnSkill } | undefined {
  const text = files.find(({ path }) => path === MANIFEST)?.text.replace(/^\uFEFF/, '');
  const { name = '', description = '' } = text === undefined ? {} : frontmatterOf(text);
  if (text === undefined || !NAME.test(name) || description === '') return undefined;
  const others = files.filter(({ path }) => path !== MANIFEST);
  return { name, text, skill: { description: description.slice(0, LONGEST_DESCRIPTION), files: others } };
}

/** Of its YAML the two texts that every skill has: plain, quoted, folded or over several lines. */
function frontmatterOf(text: string): { name?: string; description?: string } {
  const [first, ...lines] = text.split(/\r?\n/);
  const end = lines.findIndex((line) => line.trimEnd() === '---');
  if (first?.trimEnd() !== '---' || end < 0) return {};
  const found: Record<string, string[]> = {};
  let key = '';
  for (const line of lines.slice(0, end)) {
    const isInside = line.startsWith(' ') || line.startsWith('\t') || line === '';
    const colon = line.indexOf(':');
    if (isInside && key !== '') found[key]?.push(line);
    else if (colon > 0 && !line.startsWith('#')) {
      key = line.slice(0, colon).trim();
      found[key] = [line.slice(colon + 1)];
    }
  }
  return { name: plain(found['name']), description: plain(found['description']) };
}

/** Without quotation marks, or the sign of a text in the lines below. */
function plain(lines: string[] = []): string {
  const value = lines.flatMap((line) => line.trim() || []).join(' ');
  const text = value.replace(/^[|>][+-]?(?:\s|$)/, '').trim();
  const mark = text.at(0);
  if ((mark !== '"' && mark !== "'") || text.length < 2 || !text.endsWith(mark)) return text;
  const inside = text.slice(1, -1);
  return mark === "'" ? inside.replaceAll("''", "'") : inside.replaceAll('\\"', '"');
}
