import type { AttachmentSummary } from '../types/attachment.ts';
import type { Picture } from '../types/picture.ts';
import type { CompletionRef, Prompt, Resource, ResourceTemplate } from '../types/offer.ts';
import type { PagePart, PageTab } from '../types/page.ts';
import type { FrontPage } from '../types/starter.ts';
import type { ContentBlock } from '../types/tools/tool-result.ts';

/** What goes with a message: servers’ prompts and resources, files, pages. */
export type AttachedCommands = {
  /** Prompts of all connected servers, by server and name. */
  listPrompts(): ServerPrompt[];
  /**
   * Has a server fill a prompt in. `text` is for the composer; what is no text has become attachments of the draft.
   * @throws AppError in words for a user
   */
  getPrompt(request: {
    serverId: number;
    name: string;
    arguments: Record<string, string>;
    conversationId: string;
    /** The page's, so that it can give it up. */
    fetchId?: string;
  }): { text: string; attachments: AttachmentSummary[] };
  /** The skills that a chat may use, of all connected servers, by server and name. */
  listSkills(request: { conversationId: string }): ServerSkill[];
  /**
   * Loads a skill into the draft of a conversation. `fingerprint`: of what the user was shown of it, which they allow by that,
   * until it changes.
   * @throws AppError `definition_changed` when it is another one by now, or was not allowed; `skill_unverified`
   */
  attachSkill(request: {
    conversationId: string;
    serverId: number;
    uri: string;
    fingerprint?: string;
    fetchId?: string;
  }): AttachmentSummary;
  /** Resources and templates of all connected servers. */
  listResources(): { resources: ServerResource[]; templates: ServerTemplate[] };
  /** What could stand for an argument; empty when the server does not know or does not complete. */
  complete(request: {
    serverId: number;
    ref: CompletionRef;
    argument: { name: string; value: string };
    /** The other arguments as they are filled in so far. */
    others: Record<string, string>;
  }): { values: string[]; hasMore: boolean };
  /** Reads a resource; nothing is kept. */
  readResource(request: { serverId: number; uri: string }): ContentBlock[];
  /** Reads a resource into the draft of a conversation. While it is there it follows the server's updates. */
  attachResource(request: {
    conversationId: string;
    serverId: number;
    uri: string;
    fetchId?: string;
  }): AttachmentSummary;
  /** What `attachResource` would put into the draft. */
  previewResource(request: { conversationId: string; serverId: number; uri: string }): {
    text: string;
    pictures: Picture[];
    tokens: number;
  };
  /** Gives up what `getPrompt` or `attachResource` is fetching: nothing of it gets into the draft. */
  cancelFetch(request: { fetchId: string }): void;
  /** Puts a file that a page has read into the draft of a conversation. @throws AppError `too_large` */
  attachFile(request: {
    conversationId: string;
    id: string;
    name: string;
    mimeType: string;
    /** Bytes, of the file as it was. */
    size: number;
    text: string;
    pictures?: Picture[];
    /** Of the file as it was, for as long as the call takes: `blob:`, at which the worker can read it. */
    url?: string;
  }): AttachmentSummary;
  /** The keys that the browser has for Portside on any page, by the manifest's name; empty where it has none. */
  listShortcuts(): BrowserShortcut[];
  /** Open tabs; of those that Portside has no access to without title and address. */
  listTabs(): PageTab[];
  /** The page in front in a window; null where none can be read. */
  frontPage(request: { windowId: number }): FrontPage | null;
  /**
   * Reads a part of a page into the draft of a conversation: of a tab, or of the one in front in a window. It is read
   * anew when the user previews it and when it is sent, if its tab shows the same page then.
   * @throws AppError `no_page_access`, `page_closed`, `page_private`, `page_busy`, `page_gone`, `page_unreadable`, `nothing_read`
   */
  attachPage(request: { conversationId: string; fetchId?: string } & PageWish): AttachmentSummary;
  /**
   * Puts a text into the form field that an attachment was read from; null: what stood there before.
   * In the place of what of it was read, if that was a part.
   * @throws AppError `field_gone`, `field_moved` when that part is not there, `field_changed` when it was edited
   * since, `field_locked`, `field_refused` when it takes no such text and stays as it was, `field_inexact` when what
   * stood there before is not just what stands there now, `no_page_access`
   */
  fillField(request: { tabId: number; fieldId: string; text: string | null }): void;
  /** Which of these attached pages show something else than when they were read, as far as Portside may look. */
  changedPages(request: { pages: AttachedPage[] }): string[];
  /** Reads a page of a draft anew in its place, also where its tab shows another address by now. @throws AppError as `attachPage` */
  refreshPage(request: { id: string }): void;
  /** Takes an attachment out of the draft. */
  detach(request: { id: string }): void;
  /** Exactly what is sent, of a draft's attachment or a sent one's; null when it is gone. */
  previewAttachment(request: { id: string }): { text: string; pictures: Picture[] } | null;
  /** What a context menu or another entry point left to be asked in this window; the same one until it is ended. */
  nextIntent(request: { windowId: number }): Intent | null;
  endIntent(request: { id: string }): void;
};

type OfServer = { serverId: number; serverName: string };

export type ServerPrompt = OfServer & Prompt;

/** `isAllowed`: as it is now, it is loaded without a question. */
export type ServerSkill = OfServer & { uri: string; name: string; description: string; isAllowed: boolean };

export type ServerResource = OfServer & Resource;

export type ServerTemplate = OfServer & ResourceTemplate;

/**
 * What is to be asked in the panel of a window. `id` becomes that of the chat, the run and the message, so that it is
 * asked once however often it is begun.
 */
export type Intent = {
  id: string;
  windowId: number;
  /** The user still writes it, in a box over the page. */
  isDraft?: true;
  /** It is sent; else it waits in the composer. */
  asks: boolean;
  /** The entry of the context menu that was chosen, or the command of its name: `selection-explain`, `prompt-12`. */
  entry?: string;
  /** That of a saved prompt, or what was typed; absent where `entry` says it. */
  text?: string;
  /** What goes along. */
  page?: PageWish & { tabId: number };
  /** ISO 8601. */
  createdAt: string;
};

/** `isSent`: it counts only while its tab is in front. */
export type AttachedPage = { id: string; tabId: number; url: string; print: string; isSent: boolean };

/** As the browser writes it: `Alt+Shift+O`, on a Mac `⌥⇧O`. */
export type BrowserShortcut = { name: string; keys: string };

/** A part of a page that is to be read. */
export type PageWish = {
  part: PagePart;
  /** Or the tab in front of that window. */
  tabId?: number;
  windowId?: number;
  /** What it showed as the user asked: of another site nothing is read. */
  url?: string | undefined;
  /** What the browser told of what was clicked: the address of a link or a picture, or a selection, should it not be readable; of a page, and of a frame in it. */
  given?: { text: string; title: string; url: string; frameUrl?: string };
};
