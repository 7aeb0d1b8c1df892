import type { ChatCompletionContentPart } from 'openai/resources/chat/completions';
import type { Message, Picture } from '../types/message.ts';

/** What the user message that brings a tool's pictures begins with. */
const ATTACHED = 'Attached image(s) from tool result:';

const REFUSED =
  '(Left out: pictures that the model’s server refused, or that came with one that it refused.)';

/** A tool's pictures as parts of a user message: a tool message's content must be a string. */
export function pictureParts(pictures: Picture[]): ChatCompletionContentPart[] {
  const images = pictures.map(({ data, mimeType }): ChatCompletionContentPart => ({
    type: 'image_url',
    image_url: { url: `data:${mimeType};base64,${data}` },
  }));
  return images.length === 0 ? [] : [{ type: 'text', text: ATTACHED }, ...images];
}

/** The content of a tool message whose pictures are left out, or come after it. */
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
    if (message.role !== 'tool' || !message.pictures?.some((picture) => refused.has(picture))) return message;
    const { pictures, ...rest } = message;
    const kept = pictures.filter((picture) => !refused.has(picture));
    const content = message.content === '' ? REFUSED : `${message.content}\n\n${REFUSED}`;
    return { ...rest, content, ...(kept.length > 0 && { pictures: kept }) };
  });
}

export function picturesOf(messages: Message[]): Picture[] {
  return messages.flatMap((message) => (message.role === 'tool' ? (message.pictures ?? []) : []));
}
