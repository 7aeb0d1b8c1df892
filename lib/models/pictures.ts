import type { ChatCompletionContentPart } from 'openai/resources/chat/completions';
import type { Picture } from '../types/message.ts';

/** What the user message that brings a tool's pictures begins with. */
const ATTACHED = 'Attached image(s) from tool result:';

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
