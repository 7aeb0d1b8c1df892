import { type Bounds, excess } from '../content/excess.ts';
import { isRecord } from '../../json.ts';
import { isText, type Raw } from '../content/raw.ts';

/** Of a form. */
const MOST_FIELDS = 100;
const MOST_CHOICES = 2_000;
const MOST_MESSAGES = 1_000;
const MOST_BLOCKS = 1_000;
/** Of all that is no picture or sound. */
const REST: Bounds = { parts: 100_000, characters: 1_000_000 };
/** Characters of base64: 10 MB of pictures and sounds. */
const MOST_MEDIA = Math.ceil((10 * 1024 * 1024 * 4) / 3);

/** Why a form is too large for a user, in words; undefined when it is not. */
export function formExcess(schema: Raw): string | undefined {
  const weight = excess(schema);
  if (weight !== undefined) return `the form is ${weight}`;
  const fields = isRecord(schema['properties']) ? Object.keys(schema['properties']).length : 0;
  if (fields > MOST_FIELDS) return `the form has more than ${MOST_FIELDS} fields`;
  return hasLongList(schema) ? `the form has more than ${MOST_CHOICES} choices` : undefined;
}

const hasLongList = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > MOST_CHOICES
    : isRecord(value) && Object.values(value).some(hasLongList);

/** The same of the params of `sampling/createMessage`, before anything is made of them. */
export function samplingExcess({ messages, ...others }: Raw): string | undefined {
  if (!Array.isArray(messages)) return excess(others, REST);
  if (messages.length > MOST_MESSAGES) return `more than ${MOST_MESSAGES} messages`;
  const content = messages.map((message) => (isRecord(message) ? message['content'] : undefined));
  const blocks = inOne(content);
  const inner = blocks && inOne(blocks.map((block) => (isResult(block) ? block['content'] : [])));
  if (!blocks || !inner || blocks.length + inner.length > MOST_BLOCKS) {
    return `more than ${MOST_BLOCKS} blocks of content`;
  }
  const all = [...blocks, ...inner];
  const media = all.reduce<number>((sum, block) => sum + mediaIn(block), 0);
  if (media > MOST_MEDIA) return 'more than 10 MB of pictures and sounds';
  return excess({ ...others, blocks: all.map(withoutMedia) }, REST);
}

/** The blocks of all; undefined when there are too many. */
function inOne(contents: unknown[]): unknown[] | undefined {
  const count = contents.reduce<number>((sum, each) => sum + (Array.isArray(each) ? each.length : 1), 0);
  return count > MOST_BLOCKS ? undefined : contents.flat();
}

function isResult(block: unknown): block is Raw {
  return isRecord(block) && block['type'] === 'tool_result';
}

function isMedia(block: unknown): block is Raw {
  return isRecord(block) && (block['type'] === 'image' || block['type'] === 'audio');
}

function mediaIn(block: unknown): number {
  return isMedia(block) && isText(block['data']) ? block['data'].length : 0;
}

/** What else is in a block; of a result, what is no block. */
function withoutMedia(block: unknown): unknown {
  if (isMedia(block)) return { ...block, data: mediaIn(block) };
  return isResult(block) ? { ...block, content: [] } : block;
}
