import { computed, signal } from '@preact/signals';
import { toWire } from '../../errors.ts';
import type { PageWish } from '../../protocol/attached.ts';
import type { Reply } from '../../protocol/commands.ts';
import { type AttachmentSummary, isTyped } from '../../types/attachment.ts';
import type { WireError } from '../../types/error.ts';
import type { PagePart } from '../../types/page.ts';
import type { WorkerLink } from '../panel-port.ts';
import type { ConversationView } from '../chat/conversation-view.ts';
import type { PanelSeams } from '../seams.ts';

/**
 * A resource or a file that is being read for a draft; `error`: that failed; `isLeft`: a message went without it since.
 * It stays until the user reads it again or removes it.
 */
export type Adding = {
  key: string;
  title: string;
  conversationId: string;
  error?: WireError;
  isLeft?: true;
} & (
  | { type: 'resource'; serverId: number; uri: string }
  | ({ type: 'skill' } & ChosenSkill)
  | { type: 'file'; file: File }
  | ({ type: 'page' } & PagePlace)
);

/** `fingerprint`: of what the user was shown of it, and allows by that. */
export type ChosenSkill = { serverId: number; uri: string; fingerprint?: string };

/** A part of what a tab shows; `url` as far as the browser told it. */
export type PagePlace = { part: PagePart; tabId: number } & Pick<PageWish, 'given' | 'url'>;

type Of<T extends Adding['type']> = Extract<Adding, { type: T }>;

/** Whether both are the same file, resource or part of a tab, for the same draft. */
function isSame(one: Adding, other: Adding): boolean {
  if (one.conversationId !== other.conversationId) return false;
  if (one.type === 'page' && other.type === 'page')
    return one.tabId === other.tabId && one.part === other.part;
  if (
    (one.type === 'resource' && other.type === 'resource') ||
    (one.type === 'skill' && other.type === 'skill')
  )
    return one.serverId === other.serverId && one.uri === other.uri;
  return one.type === 'file' && other.type === 'file' && one.title === other.title;
}

/** The draft's attachments as the user adds and removes them; the worker keeps them. */
export function createAttaching(
  link: WorkerLink,
  { chat, draftId, command }: Pick<ConversationView, 'chat' | 'draftId' | 'command'>,
  { newId, now, readFile }: Pick<PanelSeams, 'newId' | 'now' | 'readFile'>,
) {
  const all = signal<Adding[]>([]);
  /** Of files that are being read, by key. */
  const reading = new Map<string, AbortController>();
  let files = 0;
  /** Prompts whose text the composer got: several pages share a draft's chips, and each has a text of its own. */
  const typed = new Set<string>();
  const without = (key: string): Adding[] => all.value.filter((other) => other.key !== key);
  const isWanted = (key: string): boolean => all.value.some((other) => other.key === key);

  const present = (): ReadonlySet<string> => new Set(chat.value.attachments.map(({ id }) => id));

  function add(attachments: AttachmentSummary[]): void {
    for (const each of attachments.filter(isTyped)) typed.add(each.id);
    const known = present();
    const fresh = attachments.filter(({ id }) => !known.has(id));
    if (fresh.length > 0) chat.value = { ...chat.value, attachments: [...chat.value.attachments, ...fresh] };
  }

  function drop(ids: string[]): void {
    for (const id of ids) typed.delete(id);
    const attachments = chat.value.attachments.filter(({ id }) => !ids.includes(id));
    if (attachments.length < chat.value.attachments.length) chat.value = { ...chat.value, attachments };
  }

  async function read({ error: _error, isLeft: _isLeft, ...item }: Adding): Promise<void> {
    const { key, conversationId } = item;
    const before = present();
    // What failed before goes when the same is read again.
    all.value = [...without(key).filter((other) => !other.error || !isSame(other, item)), item];
    try {
      const attached = await readers[item.type](item as never);
      if (!isWanted(key)) await putAway([attached], before);
      else if (conversationId === draftId()) add([attached]);
      all.value = without(key);
    } catch (failure) {
      if (isWanted(key)) all.value = [...without(key), { ...item, error: toWire(failure) }];
    }
  }

  const ofPage = ({ key, conversationId, part, tabId, url, given }: Of<'page'>) =>
    link.send('attachPage', {
      conversationId,
      part,
      tabId,
      fetchId: key,
      ...(url !== undefined && { url }),
      ...(given && { given }),
    });

  const ofResource = ({ key, conversationId, serverId, uri }: Of<'resource'>) =>
    link.send('attachResource', { conversationId, serverId, uri, fetchId: key });

  const ofSkill = ({ key, conversationId, serverId, uri, fingerprint }: Of<'skill'>) =>
    link.send('attachSkill', {
      conversationId,
      serverId,
      uri,
      fetchId: key,
      ...(fingerprint !== undefined && { fingerprint }),
    });

  async function ofFile({ key, conversationId, title, file }: Of<'file'>): Promise<AttachmentSummary> {
    const controller = new AbortController();
    reading.set(key, controller);
    try {
      const content = await readFile(file, controller.signal);
      // A message is JSON, and holds no file.
      const url = URL.createObjectURL(file);
      return await link
        .send('attachFile', { conversationId, id: key, name: title, size: file.size, ...content, url })
        .finally(() => URL.revokeObjectURL(url));
    } finally {
      reading.delete(key);
    }
  }

  const readers = { file: ofFile, page: ofPage, resource: ofResource, skill: ofSkill };

  /** The key becomes its id, which goes up with time as those of the worker do. */
  function addingOf(file: File): Adding {
    files += 1;
    const key = `${now()} ${String(files).padStart(6, '0')} ${newId()}`;
    return { type: 'file', key, conversationId: draftId(), title: file.name, file };
  }

  async function putAway(attachments: AttachmentSummary[], before: ReadonlySet<string>): Promise<void> {
    await Promise.all(attachments.filter(({ id }) => !before.has(id)).map(({ id }) => detach(id)));
  }

  /** What is still on its way is given up where it is read. */
  function giveUp({ key, error, type }: Adding): void {
    all.value = without(key);
    if (type === 'file') reading.get(key)?.abort();
    // A worker that can't be reached is not reading either.
    else if (!error) void link.send('cancelFetch', { fetchId: key }).catch(() => undefined);
  }

  async function detach(id: string): Promise<void> {
    drop([id]);
    await command('detach', { id });
  }

  return {
    /** What is on its way into the draft that is shown. */
    adding: computed(() => all.value.filter(({ conversationId }) => conversationId === draftId())),
    attach: (resource: { serverId: number; uri: string; title: string }): Promise<void> =>
      read({ type: 'resource', ...resource, conversationId: draftId(), key: newId() }),
    attachSkill: (skill: ChosenSkill & { title: string }): Promise<void> =>
      read({ type: 'skill', ...skill, conversationId: draftId(), key: newId() }),
    /** Has a part of a page read. */
    attachPage: ({ title, part, tabId, url, given }: PagePlace & { title: string }): Promise<void> =>
      read({
        type: 'page',
        title,
        part,
        tabId,
        ...(url !== undefined && { url }),
        ...(given && { given }),
        conversationId: draftId(),
        key: newId(),
      }),
    /** Has files read, in a frame of this page, into the draft of the chat that is shown now. */
    async attachFiles(chosen: File[]): Promise<void> {
      await Promise.all(chosen.map(addingOf).map(read));
    },
    /** Tries again what failed. */
    retry: read,
    /** Takes out what could not be read of pages: it was another page's, or another moment's. */
    forgetFailed: (): void =>
      void (all.value = all.value.filter(({ error, type }) => !error || type !== 'page')),
    /** Takes one out that is not read yet; what comes of it all the same is put away. */
    giveUp,
    /** What is in the draft. */
    ids: present,
    /** Takes out what came in vain, but for what the draft held before. */
    putAway,
    detach,
    /** These are in the draft, with what the composer got of them. */
    add,
    /** The composer gets another text. */
    leave: (): void => typed.clear(),
    /** Of what is in the draft, and of the prompts in the composer, which another page may have sent along. */
    toSend: (): string[] => [...new Set([...present(), ...typed])],
    /** These went with a message, and nothing else. The draft, kept as `from` so far, goes on as `to`. */
    sent(ids: string[], from: string, to: string): void {
      drop(ids);
      all.value = all.value.map((each) =>
        each.conversationId === from ? { ...each, conversationId: to, isLeft: true } : each,
      );
    },
    /** Exactly what is sent; null when it is gone. @throws AppError */
    preview: (id: string): Promise<Reply<'previewAttachment'>> => link.send('previewAttachment', { id }),
  };
}

export type Attaching = ReturnType<typeof createAttaching>;
