/** A model's weights in this browser's own storage for Portside (OPFS), which no site and no other extension reads. */
export type StoredModel = {
  /** What it is called, by its file: the model's name for a provider. */
  id: string;
  /** Where it came from; null: a file of the user's. */
  address: string | null;
  licence: string | null;
  /** Bytes of the whole. */
  size: number;
  /** Tokens that it is given room for. */
  context: number;
  /** Of the whole file, once it is there. */
  sha256?: string;
  /** What the user says that it has to be. */
  expected?: string;
};

/** `there`: bytes that are stored. */
export type Stored = StoredModel & { there: number };

const FACTS = 'facts.json';

async function folder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle('gguf', { create: true });
}

const folderOf = async (id: string): Promise<FileSystemDirectoryHandle> =>
  (await folder()).getDirectoryHandle(id, { create: true });

/** All that are there, or were begun. */
export async function storedModels(): Promise<Stored[]> {
  const found: Stored[] = [];
  for await (const handle of (await folder()).values()) {
    if (handle.kind !== 'directory') continue;
    // Another page may just be removing it.
    const model = await storedIn(handle).catch(ignoreGone);
    if (model) found.push(model);
  }
  return found;
}

async function storedIn(of: FileSystemDirectoryHandle): Promise<Stored | undefined> {
  const facts = await factsIn(of);
  return facts && { ...facts, there: sizeOf(await partsIn(of)) };
}

function ignoreGone(error: unknown): undefined {
  if (!(error instanceof DOMException && error.name === 'NotFoundError')) throw error;
}

export const storedModel = async (id: string): Promise<StoredModel | undefined> =>
  factsIn(await folderOf(id));

async function factsIn(of: FileSystemDirectoryHandle): Promise<StoredModel | undefined> {
  const handle = await of.getFileHandle(FACTS).catch(() => undefined);
  return handle && (JSON.parse(await (await handle.getFile()).text()) as StoredModel);
}

/** Its parts in order, each as it came in one go: none of them is in memory. */
export const weightsOf = async (id: string): Promise<File[]> => partsIn(await folderOf(id));

async function partsIn(of: FileSystemDirectoryHandle): Promise<File[]> {
  const parts: File[] = [];
  for await (const handle of of.values())
    // What is being written has a name of its own.
    if (handle.kind === 'file' && /^\d+$/.test(handle.name)) parts.push(await handle.getFile());
  return parts.toSorted((one, other) => Number(one.name) - Number(other.name));
}

export const sizeOf = (parts: Blob[]): number => parts.reduce((sum, { size }) => sum + size, 0);

/** Writes down what is known of a model, whose parts come next. */
export async function saveFacts(model: StoredModel): Promise<void> {
  await write(await folderOf(model.id), FACTS, [JSON.stringify(model)]);
}

/** One more part; it is there as a whole or not at all. */
export async function addPart(id: string, pieces: Uint8Array<ArrayBuffer>[]): Promise<void> {
  const of = await folderOf(id);
  await write(of, String((await partsIn(of)).length), pieces);
}

async function write(
  of: FileSystemDirectoryHandle,
  name: string,
  pieces: FileSystemWriteChunkType[],
): Promise<void> {
  const writing = await (await of.getFileHandle(name, { create: true })).createWritable();
  for (const piece of pieces) await writing.write(piece);
  await writing.close();
}

/** Forgets its parts; what is known of it stays. */
export async function dropParts(id: string): Promise<void> {
  const of = await folderOf(id);
  for (const { name } of await partsIn(of)) await of.removeEntry(name);
}

export async function removeModels(): Promise<void> {
  const root = await navigator.storage.getDirectory();
  await root.removeEntry('gguf', { recursive: true }).catch(() => undefined);
}

export async function removeModel(id: string): Promise<void> {
  await (await folder()).removeEntry(id, { recursive: true });
}
