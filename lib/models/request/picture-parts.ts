import type { ChatCompletionContentPart } from 'openai/resources/chat/completions';
import type { Message } from '../../types/message.ts';
import type { Picture } from '../../types/picture.ts';

/** What the user message that brings a tool's pictures begins with. */
const ATTACHED = 'Attached image(s) from tool result:';

const REFUSED =
  '(Left out: pictures that the model’s server refused, or that came with one that it refused.)';

export function pictureParts(pictures: Picture[]): ChatCompletionContentPart[] {
  return pictures.map(({ data, mimeType }) => ({
    type: 'image_url',
    image_url: { url: `data:${mimeType};base64,${data}` },
  }));
}

/** A tool's pictures as parts of a user message: a tool message's content must be a string. */
export function resultPictureParts(pictures: Picture[]): ChatCompletionContentPart[] {
  return pictures.length === 0 ? [] : [{ type: 'text', text: ATTACHED }, ...pictureParts(pictures)];
}

/** The content of a message whose pictures are left out, or come after it. */
export function withPictureNote(content: string, count: number, sees: boolean): string {
  if (count === 0 || (sees && content !== '')) return content;
  const pictures = count === 1 ? 'One picture' : `${count} pictures`;
  const note = sees
    ? `(${pictures}, attached below.)`
    : `(${pictures} left out: this model is not marked as able to see.)`;
  return content === '' ? note : `${content}\n\n${note}`;
}

/** The messages without pictures that a server has refused, and with a word in the place of each. */
export function withoutRefused(messages: Message[], refused: ReadonlySet<Picture>): Message[] {
  return messages.map((message) => {
    if (message.role !== 'tool' && message.role !== 'user') return message;
    if (!message.pictures?.some((picture) => refused.has(picture))) return message;
    const { pictures, ...rest } = message;
    const kept = pictures.filter((picture) => !refused.has(picture));
    const content = message.content === '' ? REFUSED : `${message.content}\n\n${REFUSED}`;
    return { ...rest, content, ...(kept.length > 0 && { pictures: kept }) };
  });
}

export function picturesOf(messages: Message[]): Picture[] {
  return messages.flatMap((message) => ('pictures' in message ? (message.pictures ?? []) : []));
}
