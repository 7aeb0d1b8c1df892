import { createHash } from 'node:crypto';

/**
 * A whole model of about a megabyte that a real llama.cpp loads: one layer, whose attention and feed-forward add nothing, so
 * that the last token alone decides which comes next. What it says is therefore known, and ends.
 */

/** Where the prompt ends tells what is said next; each piece of a saying leads to the next one. */
const SAYINGS: [after: string, ...pieces: string[]][] = [
  [
    '<|call|>',
    '<tool_call>',
    '\n{"name":▁"',
    'current_time',
    '",▁"arguments":▁{}}\n',
    '</tool_call>',
    '<|end|>',
  ],
  ['<|say|>', 'Hello', '▁from', '▁the', '▁tiny', '▁model', '.', '<|end|>'],
  ['<|title|>', 'A', '▁small', '▁chat', '<|end|>'],
];

/**
 * Calls a tool for a question of the user's, and is asked for a title where it gets no tools. Of the messages only the
 * last one is read, as its bytes are its tokens. Calls have the form of Qwen's and many others; of the tools it says what no
 * chat gets to see, so that llama.cpp knows that it takes them.
 */
const TEMPLATE = `{{ bos_token }}
{%- if tools and messages[0]['role'] == 'none' -%}
# Tools
<tools>{% for tool in tools %}{{ tool | tojson }}{% endfor %}</tools>
{%- endif -%}
{%- for message in messages -%}
{%- if message['role'] == 'assistant' and message['tool_calls'] -%}
{%- for call in message['tool_calls'] -%}
<tool_call>
{"name": "{{ call['function']['name'] }}", "arguments": {{ call['function']['arguments'] | tojson }}}
</tool_call>
{%- endfor -%}<|end|>
{%- elif loop.last -%}{{ (message['content'] or '')[:200] }}<|end|>
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}
{%- if not tools -%}<|title|>{%- elif messages[-1]['role'] == 'tool' -%}<|say|>{%- else -%}<|call|>{%- endif -%}
{%- endif -%}`;

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const CONTEXT = 8192;
const HEAD = 32;

/** Of SentencePiece. */
const KIND = { normal: 1, unknown: 2, control: 3, byte: 6 };

type Value = string | number | boolean | string[] | Float32Array | Int32Array;

/** What the metadata may say otherwise: `general.license`, ... */
export function tinyGguf(more: Record<string, Value> = {}): Uint8Array<ArrayBuffer> {
  const tokens = tokenTable();
  const size = Math.ceil(tokens.length / HEAD) * HEAD;
  const heads = size / HEAD;
  const metadata: Record<string, Value> = {
    'general.architecture': 'llama',
    'general.name': 'Tiny test model',
    'general.license': 'mit',
    ...more,
    'llama.context_length': CONTEXT,
    'llama.embedding_length': size,
    'llama.block_count': 1,
    'llama.feed_forward_length': HEAD,
    'llama.attention.head_count': heads,
    'llama.attention.head_count_kv': 1,
    'llama.attention.layer_norm_rms_epsilon': new Float32Array([1e-5]),
    'llama.rope.dimension_count': HEAD,
    'llama.vocab_size': tokens.length,
    'tokenizer.ggml.model': 'llama',
    'tokenizer.ggml.tokens': tokens.map(([text]) => text),
    'tokenizer.ggml.scores': Float32Array.from(tokens, (_, index) => -index),
    'tokenizer.ggml.token_type': Int32Array.from(tokens, ([, kind]) => kind),
    'tokenizer.ggml.bos_token_id': 1,
    'tokenizer.ggml.eos_token_id': tokens.findIndex(([text]) => text === '<|end|>'),
    'tokenizer.ggml.unknown_token_id': 0,
    'tokenizer.ggml.add_bos_token': false,
    'tokenizer.chat_template': TEMPLATE,
  };
  const zeros = (...shape: number[]): Tensor => ({ shape, data: new Float32Array(product(shape)) });
  const ones = (): Tensor => ({ shape: [size], data: new Float32Array(size).fill(1) });
  const tensors: Record<string, Tensor> = {
    'token_embd.weight': matrix(size, tokens.length, (row) => row),
    'output_norm.weight': ones(),
    'output.weight': matrix(size, tokens.length, nextOf(tokens)),
    'blk.0.attn_norm.weight': ones(),
    'blk.0.attn_q.weight': zeros(size, size),
    'blk.0.attn_k.weight': zeros(size, HEAD),
    'blk.0.attn_v.weight': zeros(size, HEAD),
    'blk.0.attn_output.weight': zeros(size, size),
    'blk.0.ffn_norm.weight': ones(),
    'blk.0.ffn_gate.weight': zeros(size, HEAD),
    'blk.0.ffn_up.weight': zeros(size, HEAD),
    'blk.0.ffn_down.weight': zeros(HEAD, size),
  };
  return write(metadata, tensors);
}

function tokenTable(): [text: string, kind: number][] {
  const bytes = Array.from(
    { length: 256 },
    (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
  );
  const said = [...new Set(SAYINGS.flat())];
  return [
    ['<unk>', KIND.unknown],
    ['<s>', KIND.control],
    ...bytes.map((text): [string, number] => [text, KIND.byte]),
    ...said.map((text): [string, number] => [text, text.startsWith('<|') ? KIND.control : KIND.normal]),
  ];
}

/** Which token each is said after; a row of the output's matrix is one token's score after each. */
function nextOf(tokens: [string, number][]): (row: number) => number {
  const numbers = new Map(tokens.map(([text], index) => [text, index]));
  const before = new Map<number, number>();
  for (const saying of SAYINGS)
    for (const [index, text] of saying.entries())
      if (index > 0 && text !== '<|end|>') before.set(numbers.get(text)!, numbers.get(saying[index - 1]!)!);
  const end = numbers.get('<|end|>');
  // What nothing else follows is followed by the end: see the threshold in `matrix`.
  return (row) => (row === end ? -1 : (before.get(row) ?? -2));
}

type Tensor = { shape: number[]; data: Float32Array };

const product = (shape: number[]): number => shape.reduce((all, each) => all * each, 1);

/** Each row has one column that counts; -1: all of them a little, -2: none. */
function matrix(columns: number, rows: number, columnOf: (row: number) => number): Tensor {
  const data = new Float32Array(columns * rows);
  for (let row = 0; row < rows; row += 1) {
    const column = columnOf(row);
    if (column === -1) data.fill(2, row * columns, (row + 1) * columns);
    else if (column >= 0) data[row * columns + column] = 4;
  }
  return { shape: [columns, rows], data };
}

const ALIGNMENT = 32;
const TYPES = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9 };

/** https://github.com/ggml-org/ggml/blob/master/docs/gguf.md */
function write(metadata: Record<string, Value>, tensors: Record<string, Tensor>): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const put = (bytes: Uint8Array): void => {
    parts.push(bytes);
    length += bytes.length;
  };
  const u32 = (value: number): void => put(new Uint8Array(Uint32Array.of(value).buffer));
  const u64 = (value: number): void => put(new Uint8Array(BigUint64Array.of(BigInt(value)).buffer));
  const text = (value: string): void => {
    const bytes = new TextEncoder().encode(value);
    u64(bytes.length);
    put(bytes);
  };
  const value = (of: Value): void => {
    if (typeof of === 'string') {
      u32(TYPES.string);
      text(of);
    } else if (typeof of === 'boolean') {
      u32(TYPES.bool);
      put(Uint8Array.of(Number(of)));
    } else if (typeof of === 'number') {
      u32(TYPES.uint32);
      u32(of);
    } else if (of instanceof Float32Array && of.length === 1) {
      u32(TYPES.float32);
      put(new Uint8Array(of.buffer));
    } else {
      u32(TYPES.array);
      u32(Array.isArray(of) ? TYPES.string : of instanceof Float32Array ? TYPES.float32 : TYPES.int32);
      u64(of.length);
      if (Array.isArray(of)) of.forEach(text);
      else put(new Uint8Array(of.buffer));
    }
  };
  const align = (): void => put(new Uint8Array((ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT));

  put(new TextEncoder().encode('GGUF'));
  u32(3);
  u64(Object.keys(tensors).length);
  u64(Object.keys(metadata).length);
  for (const [name, of] of Object.entries(metadata)) {
    text(name);
    value(of);
  }
  let offset = 0;
  for (const [name, { shape, data }] of Object.entries(tensors)) {
    text(name);
    u32(shape.length);
    shape.forEach(u64);
    u32(0); // F32
    u64(offset);
    offset += Math.ceil(data.byteLength / ALIGNMENT) * ALIGNMENT;
  }
  for (const { data } of Object.values(tensors)) {
    align();
    put(new Uint8Array(data.buffer));
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
