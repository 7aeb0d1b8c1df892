import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Dialect, toolSchema } from '../../lib/models/request/schema.ts';
import type { Schema } from '../../lib/models/request/schema-ref.ts';
import { presets } from '../../lib/provider-presets.ts';
import type { AssistantMessage, Message } from '../../lib/types/message.ts';
import type { Picture } from '../../lib/types/picture.ts';
import type { PresetId } from '../../lib/types/model.ts';
import { assistant, echo, result, user, wireBody } from './request.ts';

type Sent = {
  role: string;
  content: unknown;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
};

const id = fc.oneof(fc.constantFrom('', 'a', 'call_0', '123456789'), fc.string({ maxLength: 60 }));
const text = fc.constantFrom('', ' ', 'Hello', 'A longer text');
const call = fc.record({
  id,
  name: fc.oneof(fc.constantFrom('mcp__1__echo', ''), fc.string({ maxLength: 80 })),
  arguments: fc.oneof(fc.constantFrom('{}', '{"cut', '', '[]'), fc.json()),
  raw: fc.constantFrom<Record<string, unknown>>({}, { extra_content: 1 }, { type: 'other', id: 'x' }),
});
const pictures = fc.constantFrom<Picture[]>([], [{ data: 'QUJD', mimeType: 'image/png' }]);
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.tuple(text, pictures).map(([content, shown]): Message => ({ ...user(`Q${content}`), pictures: shown })),
  fc
    .tuple(
      text,
      fc.array(call, { maxLength: 4 }),
      fc.constantFrom('complete' as const, 'partial' as const, 'streaming' as const),
    )
    .map(([content, calls, status]): AssistantMessage => ({
      ...assistant(content, calls, status),
      reasoning: 'R',
      raw: { reasoning_content: 'R' },
    })),
  fc
    .tuple(id, text, pictures)
    .map(([to, content, shown]): Message => ({ ...result(to, content), pictures: shown })),
  text.map((content): Message => ({ ...user(content), role: 'summary', runId: 'r', keepsFrom: null })),
);
const options = fc.record({
  preset: fc.constantFrom(...presets.map((preset) => preset.id)),
  traits: fc.record({ vision: fc.boolean(), tools: fc.boolean() }),
  learned: fc.record({
    quirks: fc.dictionary(
      fc.constantFrom('textWithCalls', 'systemAsUser', 'nineCharIds', 'bridgeAfterTool', 'allReasoning'),
      fc.constant(true),
    ),
  }),
});

/** The first history and model found whose messages break the rule; null when there is none. */
function broken(rule: (messages: Sent[], preset: PresetId) => boolean): unknown {
  const request = fc.tuple(fc.array(message, { maxLength: 12 }), options, fc.boolean());
  const property = fc.property(request, ([messages, given, system]) => {
    const body = wireBody(given, { messages, tools: [echo], ...(system && { system: 'S' }) });
    return rule(body.messages as Sent[], given.preset);
  });
  return fc.check(property, { numRuns: 300 }).counterexample;
}

const callsOf = (messages: Sent[]) => messages.flatMap(({ tool_calls }) => tool_calls ?? []);

describe('whatever the history and the model,', () => {
  it('each call has exactly one result, directly after it and in its order', () => {
    const answered = (messages: Sent[]) => {
      const open: string[] = [];
      for (const { role, tool_calls, tool_call_id } of messages) {
        if (role === 'tool' ? tool_call_id !== open.shift() : open.length > 0) return false;
        open.push(...(tool_calls ?? []).map((each) => each.id));
      }
      return open.length === 0;
    };
    expect(broken(answered)).toBeNull();
  });

  it('no id comes twice in a request, and Mistral’s have nine letters and digits', () => {
    const rule = (messages: Sent[], preset: PresetId) => {
      const ids = callsOf(messages).map((each) => each.id);
      const fit = preset === 'mistral' ? /^[a-zA-Z0-9]{9}$/ : /^[^]+$/;
      return new Set(ids).size === ids.length && ids.every((each) => fit.test(each));
    };
    expect(broken(rule)).toBeNull();
  });

  it('no assistant message is empty, and null stands only beside calls', () => {
    const rule = (messages: Sent[]) =>
      messages.every(
        ({ role, content, tool_calls }) =>
          role !== 'assistant' ||
          (tool_calls?.length ?? 0) > 0 ||
          (tool_calls === undefined && typeof content === 'string' && content.trim() !== ''),
      );
    expect(broken(rule)).toBeNull();
  });

  it('the user and the model take turns, and the system speaks first or not at all', () => {
    const rule = (messages: Sent[]) =>
      messages.every(({ role }, at) => {
        const before = messages[at - 1];
        if (role === 'system') return at === 0;
        return role === 'tool' || role !== before?.role || before.tool_calls !== undefined;
      });
    expect(broken(rule)).toBeNull();
  });

  it('Mistral gets no question directly after a result', () => {
    const rule = (messages: Sent[], preset: PresetId) =>
      preset !== 'mistral' ||
      messages.every(({ role }, at) => role !== 'user' || messages[at - 1]?.role !== 'tool');
    expect(broken(rule)).toBeNull();
  });

  it('results are strings, and names and arguments such as servers take', () => {
    const rule = (messages: Sent[]) =>
      messages.every(({ role, content }) => role !== 'tool' || typeof content === 'string') &&
      callsOf(messages).every(
        (each) =>
          /^[a-zA-Z0-9_-]{1,64}$/.test(each.function.name) &&
          typeof JSON.parse(each.function.arguments) === 'object',
      );
    expect(broken(rule)).toBeNull();
  });

  it('pictures are never text', () => {
    const rule = (messages: Sent[]) =>
      messages.every(({ content }) => typeof content !== 'string' || !content.includes('QUJD'));
    expect(broken(rule)).toBeNull();
  });

  it('a broken rule would be noticed', () => {
    expect(broken((messages) => callsOf(messages).length < 3)).not.toBeNull();
  });
});

describe('any schema', () => {
  const { schema } = fc.letrec<{ schema: Record<string, unknown> }>((tie) => ({
    schema: fc.dictionary(
      fc.constantFrom(
        'type',
        'properties',
        'items',
        'anyOf',
        'allOf',
        'oneOf',
        '$ref',
        '$defs',
        'required',
        'enum',
        'const',
      ),
      fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>(
          'object',
          'array',
          'string',
          ['string', 'null'],
          '#/$defs/a',
          ['a'],
          null,
          true,
          7,
        ),
        tie('schema'),
        fc.dictionary(fc.constantFrom('a', 'b'), tie('schema'), { maxKeys: 2 }),
        fc.array(tie('schema'), { maxLength: 3 }),
      ),
      { maxKeys: 5 },
    ),
  }));

  /** The first schema found whose writing breaks the rule; null when there is none. */
  const wrong = (dialect: Dialect, rule: (written: Schema) => boolean) =>
    fc.check(fc.property(schema, (given) => rule(toolSchema(given, dialect)))).counterexample;

  it('becomes an object with properties, and nothing else at its top', () => {
    const refused = ['oneOf', 'anyOf', 'allOf', 'enum', 'not', '$ref'];
    const rule = (written: Schema) =>
      written.type === 'object' &&
      typeof written.properties === 'object' &&
      !refused.some((name) => name in written);
    expect(wrong('plain', rule)).toBeNull();
    expect(wrong('gemini', rule)).toBeNull();
  });

  it('has a type or alternatives everywhere for Gemini, and none of the names that it refuses', () => {
    const taken =
      'type format description nullable enum items minItems maxItems properties required anyOf'.split(' ');
    const rule = ({ type, properties = {}, items, anyOf = [], ...rest }: Schema): boolean =>
      (typeof type === 'string' || (anyOf as Schema[]).length > 0) &&
      Object.keys(rest).every((name) => taken.includes(name)) &&
      [...Object.values(properties as Schema), ...(items ? [items] : []), ...(anyOf as Schema[])].every(
        (inner) => rule(inner as Schema),
      );
    expect(wrong('gemini', rule)).toBeNull();
  });
});
