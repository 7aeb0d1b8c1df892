import { withoutControlTokens } from '../../control-tokens.ts';
import { visibleOnly } from '../../invisible.ts';
import type { ContentBlock } from '../../types/tools/tool-result.ts';
import type { Picture } from '../../types/picture.ts';
import { inWords, type PromptMessage } from './blocks.ts';

const SPEAKERS = { user: 'User', assistant: 'Assistant' };

/** Characters that go into the composer: Chromium takes the square of a field's to lay it out, where directions mix. */
const MOST_TYPED = 50_000;

/**
 * The messages of a prompt as one text for the composer, and what of them is no text, in order. What a single role says
 * stands as it is, but for what is invisible or marks turns; where both speak, each paragraph says who does. What is longer
 * than a user would read there is no text for it either.
 */
export function promptText(messages: PromptMessage[]): { text: string; rest: ContentBlock[] } {
  const said: { role: PromptMessage['role']; text: string }[] = [];
  const rest: ContentBlock[] = [];
  for (const { role, block } of messages) {
    if (block.type !== 'text') rest.push(block);
    else if (block.text.trim() !== '')
      said.push({ role, text: withoutControlTokens(visibleOnly(block.text)) });
  }
  const isDialogue = new Set(said.map(({ role }) => role)).size > 1;
  const parts = said.map(({ role, text }) => (isDialogue ? `${SPEAKERS[role]}: ${text}` : text));
  const text = parts.join('\n\n');
  return text.length > MOST_TYPED ? { text: '', rest: [{ type: 'text', text }, ...rest] } : { text, rest };
}

/** Characters of a media type: all pages that show the draft are told of it. */
const MOST_TYPE = 200;

/** What a message carries of these blocks. */
export type AttachedContent = { text: string; pictures?: Picture[]; mimeType?: string };

/**
 * Blocks, such as those of a resource, as a model gets them along with a message. Pictures go as pictures; a file that
 * is no text becomes a line that says what it is.
 */
export function attachmentOf(blocks: ContentBlock[]): AttachedContent {
  const pictures = blocks.flatMap((block) =>
    block.type === 'image' ? [{ data: block.data, mimeType: block.mimeType }] : [],
  );
  const words = blocks.filter((block) => block.type !== 'image').map(attachedWords);
  const types = new Set(blocks.map(mimeTypeOf));
  const [mimeType] = types.size === 1 ? types : [];
  return {
    text: words.join('\n\n'),
    ...(pictures.length > 0 && { pictures }),
    ...(mimeType && mimeType.length <= MOST_TYPE && { mimeType }),
  };
}

function attachedWords(block: ContentBlock): string {
  // The attachment itself says where it comes from.
  return block.type === 'resource' && block.resource.text !== undefined
    ? block.resource.text
    : inWords(block);
}

function mimeTypeOf(block: ContentBlock): string | undefined {
  switch (block.type) {
    case 'image':
    case 'audio':
    case 'resource_link':
      return block.mimeType;
    case 'resource':
      return block.resource.mimeType;
    default:
      return undefined;
  }
}
