import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { toWire } from '../../errors.ts';
import { requestTabNames } from '../../gestures.ts';
import type { ServerPrompt } from '../../protocol/attached.ts';
import { NEW_CHAT } from '../../protocol/chats.ts';
import type { WireError } from '../../types/error.ts';
import type { PromptArgument } from '../../types/offer.ts';
import type { PagePart } from '../../types/page.ts';
import type { SavedPrompt } from '../../types/prompt.ts';
import type { Attaching } from './attaching.ts';
import { createCompletion, type Completion } from './completion.ts';
import type { WorkerLink } from '../panel-port.ts';
import {
  contextEntries,
  filesEntry,
  groupOffers,
  isNamed,
  ownEntries,
  promptEntries,
  type MenuEntry,
  type OfferEntry,
  type PageEntry,
  type TabNamesEntry,
} from './menu-entries.ts';
import type { PageEntries } from './page-entries.ts';
import { createPreviewing } from './previewing.ts';
import { createPromptFetch } from './prompt-fetch.ts';
import type { Starter } from './starters.ts';
import { filledPrompt, promptVariables } from './saved-prompts.ts';
import type { PanelSeams } from '../seams.ts';
import { triggerAt, triggerSign, withoutTrigger, type MenuKind, type Trigger } from './trigger.ts';

/** What is chosen by its entry alone; the rest, `files` and actions, is the page's to do. */
export type Chosen = Exclude<MenuEntry, { type: 'action' | 'files' | 'page' | 'starter' | 'tab_names' }>;

/** A prompt or a template whose arguments are asked for, or a skill that is to be allowed: by its `fingerprint` alone. */
export type Filling = {
  entry: Chosen;
  arguments: PromptArgument[];
  completion: Completion;
};

type Composer = {
  text: ReadonlySignal<string>;
  type: (text: string) => void;
  draftId: () => string;
  saved: () => SavedPrompt[];
  starters: () => Starter[];
  /** Attaches what of the page in front a starter is about, unless something is attached already. */
  attachFront: () => Promise<void>;
  /** A part of a page was chosen by hand. */
  chosePart: (part: PagePart) => void;
};

/** The menus over the composer: prompts and what can be done after `/`, context after `@`. */
export function createOfferMenu(
  link: WorkerLink,
  composer: Composer,
  attaching: Pick<Attaching, 'attach' | 'attachPage' | 'attachSkill' | 'add' | 'ids' | 'putAway'>,
  { newId, ownWindow }: Pick<PanelSeams, 'newId' | 'ownWindow'>,
) {
  const trigger = signal<Trigger | null>(null);
  const lists = signal<Partial<Record<MenuKind, OfferEntry[]>>>({});
  const error = signal<WireError | null>(null);
  const pages = signal<PageEntries>({ front: [], tabs: [] });
  const filling = signal<Filling | null>(null);
  const fetch = createPromptFetch(link, newId);
  /** Where a menu was closed: it stays so until the sign is typed anew. */
  let dismissed: string | null = null;
  /** The sign was not typed but stands for a button's press. */
  let pressed = false;
  /** What to do again when it fails. */
  let last: () => Promise<void> = load;

  const open = computed(() => (filling.value ? null : (trigger.value?.kind ?? null)));
  const query = computed(() => trigger.value?.query ?? '');
  const offered = computed(() => (trigger.value ? (lists.value[trigger.value.kind] ?? null) : null));
  const found = computed(() => groupOffers(trigger.value ? entriesOf(trigger.value.kind) : [], query.value));
  const preview = createPreviewing(link, composer.draftId);
  const placeOf = ({ kind, start }: Trigger): string => `${kind}${start}`;

  function entriesOf(kind: MenuKind): MenuEntry[] {
    const listed = lists.value[kind] ?? [];
    if (kind === 'context') return [...pages.value.front, filesEntry, ...pages.value.tabs, ...listed];
    const own = ownEntries(composer.saved(), composer.starters(), composer.draftId() !== NEW_CHAT);
    return [...own.before, ...listed, ...own.after];
  }

  function look(text: string, caret: number): void {
    const next = triggerAt(text, caret, (kind, name) => isNamed(entriesOf(kind), name));
    const place = next && placeOf(next);
    if (place !== dismissed) dismissed = null;
    const shown = place === dismissed ? null : next;
    const before = open.peek();
    trigger.value = shown;
    if (shown && shown.kind !== before) void load();
    if (!shown) pressed = false;
    if (before && !shown) error.value = null;
  }

  async function load(): Promise<void> {
    const kind = trigger.value?.kind;
    if (!kind) return;
    last = load;
    error.value = null;
    if (kind === 'context') void lookAround();
    const conversationId = composer.draftId();
    try {
      const listed =
        kind === 'prompts'
          ? promptEntries(
              ...(await Promise.all([link.send('listPrompts'), link.send('listSkills', { conversationId })])),
            )
          : contextEntries(await link.send('listResources'));
      lists.value = { ...lists.value, [kind]: listed };
    } catch (failure) {
      if (trigger.value?.kind === kind) error.value = toWire(failure);
    }
  }

  /** Which pages there are. The menu is there without them, too. */
  async function lookAround(): Promise<void> {
    const { pageEntries } = await import('./page-entries.ts');
    pages.value = await pageEntries(link, await ownWindow()).catch(() => pages.value);
  }

  /** Ends the menu; `text` is then the composer's. */
  function end(text = composer.text.value): void {
    filling.value = null;
    error.value = null;
    trigger.value = null;
    pressed = false;
    if (text !== composer.text.value) composer.type(text);
  }

  function close(): void {
    const at = trigger.value;
    if (filling.value) fetch.cancel();
    if (!at) return end();
    if (pressed) return end(withoutTrigger(composer.text.value, at));
    dismissed = placeOf(at);
    end();
  }

  async function choose(entry: Chosen): Promise<void> {
    // Only what a template asks for takes a moment.
    const asked = entry.type === 'template' ? await argumentsIn(entry.offer.uriTemplate) : argumentsOf(entry);
    const isToAllow = entry.type === 'skill' && !entry.offer.isAllowed;
    if (asked.length === 0 && !isToAllow) return use(entry, {});
    error.value = null;
    const completion = createCompletion(
      link,
      entry.type === 'saved' || entry.type === 'skill' ? null : entry,
    );
    filling.value = { entry, arguments: asked, completion };
  }

  async function choosePage(entry: PageEntry | TabNamesEntry): Promise<void> {
    // First of all, while it is still the click's turn.
    if (entry.type === 'tab_names') return void ((await requestTabNames()) && (await lookAround()));
    take();
    composer.chosePart(entry.part);
    await attaching.attachPage(entry);
  }

  async function chooseStarter({ text }: Starter): Promise<void> {
    composer.type(joined(text, take()));
    await composer.attachFront();
  }

  function take(): string {
    const at = trigger.value;
    end(at ? withoutTrigger(composer.text.value, at) : composer.text.value);
    return composer.text.value;
  }

  async function use(entry: Chosen, values: Record<string, string>): Promise<void> {
    const at = trigger.value;
    const rest = (): string => (at ? withoutTrigger(composer.text.value, at) : composer.text.value);
    if (entry.type === 'saved') return end(joined(filledPrompt(entry.prompt.text, values), rest()));
    if (entry.type === 'prompt') {
      // The menu is done with; the composer says that the prompt is on its way.
      if (at && !filling.value) {
        dismissed = placeOf(at);
        end();
      }
      return insert(entry.offer, values, rest);
    }
    if (entry.type === 'skill') {
      const { serverId, uri, name: title } = entry.offer;
      const { fingerprint } = values;
      end(rest());
      return attaching.attachSkill({
        serverId,
        uri,
        title,
        ...(fingerprint !== undefined && { fingerprint }),
      });
    }
    const { serverId, name, title } = entry.offer;
    const uri = entry.type === 'resource' ? entry.offer.uri : await filled(entry.offer.uriTemplate, values);
    end(rest());
    await attaching.attach({ serverId, uri, title: entry.type === 'resource' ? (title ?? name) : uri });
  }

  async function insert(
    prompt: ServerPrompt,
    values: Record<string, string>,
    rest: () => string,
  ): Promise<void> {
    const conversationId = composer.draftId();
    const before = attaching.ids();
    last = () => insert(prompt, values, rest);
    error.value = null;
    try {
      const reply = await fetch.get(prompt, values, conversationId);
      if (!reply) return;
      const { got, wanted } = reply;
      if (!wanted) return await attaching.putAway(got.attachments, before);
      if (composer.draftId() !== conversationId) return;
      end(joined(got.text, rest()));
      attaching.add(got.attachments);
    } catch (failure) {
      error.value = toWire(failure);
    }
  }

  return {
    open,
    query,
    /** What the servers offer; null until their lists are here. */
    offered,
    /** Of that, and of what is the user's own, what the query names. */
    found,
    error: error as ReadonlySignal<WireError | null>,
    filling: filling as ReadonlySignal<Filling | null>,
    /** The prompt that a server is filling in; its text then comes into the composer. */
    fetching: fetch.current,
    /** Gives that up. */
    cancel: fetch.cancel,
    /** What a resource would send. */
    preview,
    /** Whether a space goes on with a name that the query begins. */
    goesOn(): boolean {
      const at = trigger.value;
      return at !== null && at.query !== '' && isNamed(entriesOf(at.kind), `${at.query} `);
    },
    /** The text or the caret changed: opens and closes the menu. */
    look,
    /** Opens the menu of what can be attached, as if its sign had been typed. */
    openContext(): void {
      const text = composer.text.value;
      const begun = text === '' || /\s$/.test(text) ? text : `${text} `;
      composer.type(`${begun}${triggerSign.context}`);
      look(composer.text.value, composer.text.value.length);
      pressed = true;
    },
    /** Does again what failed. */
    retry: (): Promise<void> => last(),
    /** Takes an entry: at once, or after its arguments were asked for. */
    choose,
    /** Takes a part of a page, or has the browser asked which tabs are open. Call it in the click's turn. */
    choosePage,
    /** Puts a starter's text into the composer, with what it is about. */
    chooseStarter,
    /** Ends the menu without what was typed to find something in it. @returns the text that is left */
    take,
    /** Takes the entry with these arguments. What a server has against it becomes `error`. */
    async accept(values: Record<string, string>): Promise<void> {
      const entry = filling.value?.entry;
      if (entry && !fetch.current.value) await use(entry, values);
    },
    close,
    /** The text is another one: nothing is open, and nothing was closed by hand. */
    forget(): void {
      fetch.cancel();
      dismissed = null;
      preview.close();
      end();
    },
  };
}

export type OfferMenu = ReturnType<typeof createOfferMenu>;

/** A prompt's text with what else was typed under it. */
const joined = (prompt: string, typed: string): string =>
  [prompt, typed.trim()].filter((text) => text !== '').join('\n');

async function filled(uriTemplate: string, values: Record<string, string>): Promise<string> {
  return (await import('../../uri-template.ts')).expandTemplate(uriTemplate, values);
}

async function argumentsIn(uriTemplate: string): Promise<PromptArgument[]> {
  return (await import('../../uri-template.ts')).templateArguments(uriTemplate);
}

function argumentsOf(entry: Exclude<Chosen, { type: 'template' }>): PromptArgument[] {
  if (entry.type === 'saved') return promptVariables(entry.prompt.text);
  return entry.type === 'prompt' ? entry.offer.arguments : [];
}
