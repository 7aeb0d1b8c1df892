import { signal, type ReadonlySignal } from '@preact/signals';
import { toWire } from '../errors.ts';
import type { Commands } from '../protocol.ts';
import type { AttachmentSummary } from '../types/attachment.ts';
import type { WireError } from '../types/error.ts';
import type { WorkerLink } from './connection.ts';
import type { PanelSeams, Watching } from './watching.ts';

/** A resource or a file that is being read; `error`: that failed. */
export type Adding = { key: string; title: string; error?: WireError } & (
  { type: 'resource'; serverId: number; uri: string } | { type: 'file'; file: File }
);

type Of<T extends Adding['type']> = Extract<Adding, { type: T }>;

export type Attaching = {
  /** What is on its way into the draft. */
  adding: ReadonlySignal<Adding[]>;
  attach: (resource: { serverId: number; uri: string; title: string }) => Promise<void>;
  /** Reads files here, on the page, into the draft of the chat that is shown now. */
  attachFiles: (files: File[]) => Promise<void>;
  /** Tries again what failed. */
  retry: (adding: Adding) => Promise<void>;
  /** Takes one out that is not read yet; what comes of it all the same is put away. */
  giveUp: (adding: Adding) => void;
  detach: (id: string) => Promise<void>;
  /** What is in the draft. */
  ids: () => ReadonlySet<string>;
  /** Takes out what came in vain, but for what the draft held before. */
  putAway: (attachments: AttachmentSummary[], before: ReadonlySet<string>) => Promise<void>;
  /** These are in the draft. */
  add: (attachments: AttachmentSummary[]) => void;
  /** These went with a message. */
  sent: (ids: string[]) => void;
  /** Exactly what is sent; null when it is gone. @throws AppError */
  preview: (id: string) => Promise<ReturnType<Commands['previewAttachment']>>;
  /** Another chat is shown. */
  forget: () => void;
};

/** The draft's attachments as the person adds and removes them; the worker keeps them. */
export function createAttaching(
  link: WorkerLink,
  { chat, draftId, command }: Pick<Watching, 'chat' | 'draftId' | 'command'>,
  { newId, now }: Pick<PanelSeams, 'newId' | 'now'>,
): Attaching {
  const adding = signal<Adding[]>([]);
  /** Of files that are being read, by key. */
  const reading = new Map<string, AbortController>();
  let files = 0;
  const without = (key: string): Adding[] => adding.value.filter((other) => other.key !== key);
  const isWanted = (key: string): boolean => adding.value.some((other) => other.key === key);

  const present = (): ReadonlySet<string> => new Set(chat.value.attachments.map(({ id }) => id));

  function add(attachments: AttachmentSummary[]): void {
    const known = present();
    const fresh = attachments.filter(({ id }) => !known.has(id));
    if (fresh.length > 0) chat.value = { ...chat.value, attachments: [...chat.value.attachments, ...fresh] };
  }

  function drop(ids: string[]): void {
    const attachments = chat.value.attachments.filter(({ id }) => !ids.includes(id));
    if (attachments.length < chat.value.attachments.length) chat.value = { ...chat.value, attachments };
  }

  async function read({ error: _before, ...item }: Adding): Promise<void> {
    const { key } = item;
    const conversationId = draftId();
    const before = present();
    adding.value = [...without(key), item];
    try {
      const attached = await (item.type === 'file'
        ? ofFile(item, conversationId)
        : ofResource(item, conversationId));
      if (isWanted(key)) add([attached]);
      else if (conversationId === draftId()) await putAway([attached], before);
      adding.value = without(key);
    } catch (failure) {
      if (isWanted(key)) adding.value = [...without(key), { ...item, error: toWire(failure) }];
    }
  }

  const ofResource = ({ key, serverId, uri }: Of<'resource'>, conversationId: string) =>
    link.send('attachResource', { conversationId, serverId, uri, fetchId: key });

  async function ofFile(
    { key, title, file }: Of<'file'>,
    conversationId: string,
  ): Promise<AttachmentSummary> {
    const controller = new AbortController();
    reading.set(key, controller);
    try {
      const { readFile } = await import('../files/read-file.ts');
      const content = await readFile(file, controller.signal);
      return await link.send('attachFile', {
        conversationId,
        id: key,
        name: title,
        size: file.size,
        ...content,
      });
    } finally {
      reading.delete(key);
    }
  }

  /** The key becomes its id, which goes up with time as those of the worker do. */
  function addingOf(file: File): Adding {
    files += 1;
    const key = `${now()} ${String(files).padStart(6, '0')} ${newId()}`;
    return { type: 'file', key, title: file.name, file };
  }

  async function putAway(attachments: AttachmentSummary[], before: ReadonlySet<string>): Promise<void> {
    await Promise.all(attachments.filter(({ id }) => !before.has(id)).map(({ id }) => detach(id)));
  }

  /** What is still on its way is given up where it is read. */
  function giveUp({ key, error, type }: Adding): void {
    adding.value = without(key);
    if (type === 'file') reading.get(key)?.abort();
    // A worker that can't be reached is not reading either.
    else if (!error) void link.send('cancelFetch', { fetchId: key }).catch(() => undefined);
  }

  async function detach(id: string): Promise<void> {
    drop([id]);
    await command('detach', { id });
  }

  return {
    adding,
    attach: (resource) => read({ type: 'resource', ...resource, key: newId() }),
    async attachFiles(chosen) {
      await Promise.all(chosen.map(addingOf).map(read));
    },
    retry: read,
    giveUp,
    ids: present,
    putAway,
    detach,
    add,
    sent: drop,
    preview: (id) => link.send('previewAttachment', { id }),
    forget: () => (adding.value = []),
  };
}
