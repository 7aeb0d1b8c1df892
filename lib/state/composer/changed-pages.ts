import { computed, signal } from '@preact/signals';
import type { AttachedPage } from '../../protocol/attached.ts';
import type { AttachmentSource, AttachmentSummary } from '../../types/attachment.ts';
import type { ConversationView } from '../chat/conversation-view.ts';
import type { WorkerLink } from '../panel-port.ts';
import type { Attaching } from './attaching.ts';

type PageSource = Extract<AttachmentSource, { type: 'page' }>;

/** Pages that the chat has, and that show something else by now. They are looked at when the user turns to the panel. */
export function createChangedPages(
  link: Pick<WorkerLink, 'send'>,
  { chat, command }: Pick<ConversationView, 'chat' | 'command'>,
  attachPage: Attaching['attachPage'],
) {
  /** As they were asked about: once one is read anew it is another. */
  const changed = signal<AttachedPage[]>([]);
  const isChanged = ({ id, source }: AttachmentSummary): boolean =>
    changed.value.some((each) => each.id === id && each.print === (source as PageSource).print);
  let looks = 0;
  const draft = computed(() => chat.value.attachments.filter(isWhole));
  const sent = computed(() => {
    const all = chat.value.messages.flatMap((message) =>
      message.role === 'user' ? (message.attachments ?? []) : [],
    );
    const isInDraft = ({ source }: AttachmentSummary): boolean =>
      draft.value.some((each) => tabOf(each.source) === tabOf(source));
    const last = new Map(all.filter(isWhole).map((each) => [tabOf(each.source), each]));
    return [...last.values()].filter((each) => !isInDraft(each));
  });
  const asked = computed(() => [
    ...draft.value.map((each) => toAttached(each, false)),
    ...sent.value.map((each) => toAttached(each, true)),
  ]);

  async function look(): Promise<void> {
    const pages = asked.value;
    const own = (looks += 1);
    const found = pages.length > 0 ? await link.send('changedPages', { pages }).catch(() => []) : [];
    if (own === looks) changed.value = pages.filter(({ id }) => found.includes(id));
  }

  return {
    /** Whether there is a page that may have changed. */
    isLooking: computed(() => asked.value.length > 0),
    /** Ids of those of the draft that changed since they were read. */
    inDraft: computed(() => new Set(draft.value.filter(isChanged).map(({ id }) => id))),
    /** The page in front, as the chat read it last, where it changed since and is not in the draft. */
    sent: computed(() => sent.value.find(isChanged) ?? null),
    look,
    /** Reads one anew: in its place in the draft, or into it where it was sent. */
    async refresh(attachment: AttachmentSummary): Promise<void> {
      const { id, title, source } = attachment;
      const { tabId, url } = source as PageSource;
      if (!draft.value.includes(attachment)) await attachPage({ title, part: 'page', tabId, url });
      else await command('refreshPage', { id });
    },
  };
}

const tabOf = (source: AttachmentSource): number => (source as PageSource).tabId;

const isWhole = ({ source }: AttachmentSummary): boolean =>
  source.type === 'page' && source.print !== undefined;

function toAttached({ id, source }: AttachmentSummary, isSent: boolean): AttachedPage {
  const { tabId, url, print = '' } = source as PageSource;
  return { id, tabId, url, print, isSent };
}
