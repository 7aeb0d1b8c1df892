import { isRecord, toJson } from '../../json.ts';

const FIELDS = ['reasoning_content', 'reasoning', 'reasoning_text'] as const;

/**
 * The thinking of one turn, as one channel. Servers name the field differently, put the thought into the text, and some
 * send the same twice: the first source that says something is the channel for the whole turn.
 */
export function createReasoningChannel() {
  let source: (typeof FIELDS)[number] | 'reasoning_details' | 'content' | undefined;
  const details = createDetails();
  let text = '';
  const add = (piece: string): string => {
    text += piece;
    return piece;
  };
  return {
    /** What the fields of a delta add. */
    push(delta: Record<string, unknown>): string {
      const detail = details.push(delta.reasoning_details);
      source ??=
        FIELDS.find((name) => typeof delta[name] === 'string' && delta[name] !== '') ??
        (detail === '' ? undefined : 'reasoning_details');
      if (source === undefined || source === 'content') return '';
      const piece = source === 'reasoning_details' ? detail : delta[source];
      return typeof piece === 'string' ? add(piece) : '';
    },
    /** What a thought found in the content adds. */
    pushThought(thought: string): string {
      if (thought !== '') source ??= 'content';
      return source === 'content' ? add(thought) : '';
    },
    text: (): string => text,
    /** The provider's own fields, to echo: DeepSeek, Moonshot and OpenRouter want them back in a tool loop. */
    raw(): Record<string, unknown> | undefined {
      const raw = {
        ...(FIELDS.some((name) => name === source) && { [source as string]: text }),
        ...(details.all().length > 0 && { reasoning_details: details.all() }),
      };
      return Object.keys(raw).length > 0 ? raw : undefined;
    },
  };
}

/**
 * OpenRouter's `reasoning_details`, a list that is to be sent back as it came
 * (https://openrouter.ai/docs/use-cases/reasoning-tokens): the pieces of one text are put together, all else is kept.
 */
function createDetails() {
  const all: Record<string, unknown>[] = [];
  const addPiece = (piece: Record<string, unknown>): string => {
    const key = typeof piece.summary === 'string' ? 'summary' : 'text';
    const words = typeof piece[key] === 'string' ? piece[key] : '';
    const last = all.at(-1);
    if (last !== undefined && goesOn(last, piece)) {
      const said = Object.entries(piece).filter(([, value]) => value !== null && value !== undefined);
      const before = typeof last[key] === 'string' ? last[key] : '';
      all[all.length - 1] = {
        ...last,
        ...Object.fromEntries(said),
        ...(key in last || key in piece ? { [key]: before + words } : {}),
      };
    } else {
      all.push(piece);
    }
    return words;
  };
  return {
    push: (list: unknown): string =>
      Array.isArray(list) ? list.filter(isEchoable).map(addPiece).join('') : '',
    all: () => all,
  };
}

/** What cannot be written as JSON again cannot be sent back. */
function isEchoable(piece: unknown): piece is Record<string, unknown> {
  return isRecord(piece) && toJson(piece) !== undefined;
}

function goesOn(last: Record<string, unknown>, piece: Record<string, unknown>): boolean {
  if (last.type !== piece.type || last.index !== piece.index || piece.type === 'reasoning.encrypted') {
    return false;
  }
  return typeof piece.id !== 'string' || typeof last.id !== 'string' || piece.id === last.id;
}
