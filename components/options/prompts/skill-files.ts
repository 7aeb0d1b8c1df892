import type { Request } from '../../../lib/protocol/commands.ts';

type SkillFiles = Request<'importSkills'>['files'];

/** Bytes: a larger file is no text that a model reads. */
const LONGEST = 2_000_000;
/** More files are those of a folder that was not meant. */
const MOST_FILES = 2_000;

/** The text files of what was chosen, by their paths in it. */
export async function textsOf(files: { path: string; file: File }[]): Promise<SkillFiles> {
  const texts = files.slice(0, MOST_FILES).map(async ({ path, file }) => {
    const text = file.size > LONGEST ? undefined : await textOf(file);
    return text === undefined ? [] : [{ path, text }];
  });
  return (await Promise.all(texts)).flat();
}

async function textOf(file: File): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return undefined; // a picture, or what else a folder has
  }
}

/** What was dropped, with all that is in its folders. To be called in the turn of the drop. */
export function filesDropped(data: DataTransfer): Promise<{ path: string; file: File }[]> {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  return Promise.all(entries.map((entry) => filesIn(entry))).then((found) => found.flat());
}

async function filesIn(entry: FileSystemEntry): Promise<{ path: string; file: File }[]> {
  const path = entry.fullPath.replace(/^\//, '');
  if (isFile(entry)) return [{ path, file: await new Promise<File>(entry.file.bind(entry)) }];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: { path: string; file: File }[] = [];
  // It hands them out in parts, and none at the end.
  for (let part = await listed(reader); part.length > 0 && found.length < MOST_FILES;) {
    for (const each of part) found.push(...(await filesIn(each)));
    part = await listed(reader);
  }
  return found;
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

const listed = (reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> =>
  new Promise((resolve, reject) => reader.readEntries(resolve, reject));
