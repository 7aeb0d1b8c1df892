import { describe, expect, it } from 'vitest';
import { learnFrom } from '../../lib/models/refusals/learn.ts';
import type { Learned } from '../../lib/types/model.ts';
import { assistant, echo, result, user, wireBody } from './request.ts';

const body = wireBody(
  { settings: { temperature: 0.5, maxTokens: 100, reasoningEffort: 'minimal' } },
  { messages: [user('Hi')], tools: [echo] },
);
const status = (code: number, json: unknown, detail = '') =>
  ({ type: 'status', status: code, detail, body: json }) as const;
const refusal = (message: string, more: object = {}) => status(400, { error: { message, ...more } });
const learn = (failure: Parameters<typeof learnFrom>[0], learned: Learned = {}, sent: object = body) =>
  learnFrom(failure, learned, sent);

describe('a refused parameter', () => {
  const unsupported = (param: string) =>
    refusal(`Unsupported parameter: '${param}' is not supported with this model.`, {
      param,
      code: 'unsupported_parameter',
    });

  it.each(['temperature', 'reasoning_effort', 'parallel_tool_calls', 'strict'])('%s is dropped', (param) => {
    expect(learn(unsupported(param))).toEqual({ learned: { dropped: [param] }, again: true });
  });

  it('is learned once, next to what was known', () => {
    const learned = { dropped: ['strict'] };
    const lesson = learn(unsupported('temperature'), learned);
    expect(lesson?.learned).toEqual({ dropped: ['strict', 'temperature'] });
    expect(learn(unsupported('temperature'), lesson?.learned)).toBeUndefined();
  });

  it('is never one that a request needs', () => {
    for (const param of ['messages', 'model', 'stream']) expect(learn(unsupported(param))).toBeUndefined();
  });

  it('is dropped when only its default is taken', () => {
    const failure = refusal(
      "Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) value is supported.",
      { param: 'temperature', code: 'unsupported_value' },
    );
    expect(learn(failure)?.learned).toEqual({ dropped: ['temperature'] });
  });

  it('that is wrong, but known, stays: the user is told', () => {
    const failure = refusal("Invalid 'temperature': decimal above maximum value.", {
      param: 'temperature',
      code: 'decimal_above_max_value',
    });
    expect(learn(failure)).toBeUndefined();
  });

  it('takes the effort with it only as far as it was refused', () => {
    const failure = refusal(
      "Unsupported value: 'reasoning_effort' does not support 'minimal' with this model. Supported values are: 'low' and 'high'.",
      { param: 'reasoning_effort', code: 'unsupported_value' },
    );
    expect(learn(failure)?.learned).toEqual({ dropped: ['reasoning_effort=minimal'] });
  });

  it.each([
    ['temperature', 0.5, "Unsupported value: 'temperature' must be at most 0.4."],
    ['temperature', 0.5, '`temperature` 0.5 is not supported; it must be between 0 and 0.4'],
    ['max_tokens', 100, "'max_tokens' of 100 is not allowed: out of range [1, 50]"],
  ])('%s of %d is dropped alone when other values are taken', (param, value, message) => {
    expect(learn(refusal(message, { param }))?.learned).toEqual({ dropped: [`${param}=${value}`] });
  });

  it('is sent under the name that the server asks for', () => {
    const failure = refusal(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      { param: 'max_tokens', code: 'unsupported_parameter' },
    );
    const renamed = { max_tokens: 'max_completion_tokens' };
    expect(learn(failure)).toEqual({ learned: { renamed }, again: true });
    expect(learn(failure, { renamed })?.learned).toEqual({ renamed, dropped: ['max_tokens'] });
  });

  it('is found in a list of problems inside a message', () => {
    const detail = [
      { type: 'extra_forbidden', loc: ['body', 'stream_options', 'include_usage'], msg: 'Extra' },
    ];
    expect(learn(status(422, { object: 'error', message: { detail } }))?.learned).toEqual({
      dropped: ['stream_options'],
    });
  });

  it('is found in the words when they are all there is', () => {
    expect(learn(refusal('`temperature` is not supported by this model'))?.learned).toEqual({
      dropped: ['temperature'],
    });
  });
});

describe('a refused ability', () => {
  it.each([
    [400, 'registry.ollama.ai/library/gemma:2b does not support tools'],
    [404, 'No endpoints found that support tool use. To learn more about provider routing, visit: …'],
    [500, 'tools param requires --jinja flag'],
    [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
    [400, '`tool calling` is not supported with this model'],
  ])('to use tools is learned: %i %s', (code, message) => {
    const failure = status(code, { error: { message } });
    expect(learn(failure)).toEqual({ learned: { traits: { tools: false } }, again: true });
    expect(learn(failure, { traits: { tools: false } }, wireBody({}))).toBeUndefined();
  });

  const seen = wireBody(
    { traits: { vision: true } },
    {
      messages: [
        assistant('', [{ id: 'a', name: 'mcp__1__echo', arguments: '{}' }]),
        { ...result('a', 'A'), pictures: [{ data: 'QUJD', mimeType: 'image/png' }] },
      ],
    },
  );

  it.each([
    'Invalid content type. image_url is only supported by certain models.',
    'This model does not support image input',
    'No endpoints found that support image input',
    'Failed to deserialize the JSON body into the target type: messages[3]: unknown variant `image_url`, expected `text`',
    'qwen3 is not a multimodal model',
  ])('to see is learned from “%s”, if there was something to see', (message) => {
    expect(learn(refusal(message), {}, seen)).toEqual({
      learned: { traits: { vision: false } },
      again: true,
    });
    expect(learn(refusal(message))?.learned.traits).toBeUndefined();
  });

  it.each([
    [400, { message: 'Invalid image.', code: 'invalid_image_url', param: 'url' }],
    [400, { message: 'The data:image/png;base64 does not represent a valid image.' }],
    [
      400,
      {
        message:
          "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].",
        code: 'invalid_image_format',
      },
    ],
    [400, { message: 'messages.1.content.0.image.source.base64: image exceeds 5 MB maximum: 6 > 5 bytes' }],
    [400, { message: 'messages.1.content.0: Image does not match the provided media type image/png' }],
    [400, { message: 'Could not process image' }],
    [400, { message: 'Unable to process input image. Please retry or report.' }],
    [400, { message: 'Provided image is not valid.' }],
    [400, { message: 'The image format is not supported.' }],
    [422, { message: 'Failed to decode the image' }],
    [500, { message: 'failed to process inputs: image: unknown format' }],
    [500, { message: 'cannot identify image file <_io.BytesIO object>' }],
    [413, { message: 'Request Entity Too Large' }],
  ])('to take a picture says nothing of the model, but the picture is left out: %i %j', (code, error) => {
    const lesson = { learned: {}, again: true, withoutPictures: true };
    expect(learn(status(code, { error }), {}, seen)).toEqual(lesson);
    expect(learn(status(code, { error }))?.withoutPictures).toBeUndefined();
  });
});

describe('a request that is too long', () => {
  it('is not one whose answer may not be as long as was asked', () => {
    const message = 'max_tokens (100000) exceeds the maximum number of tokens allowed (4096).';
    expect(learn(refusal(message))?.learned.traits).toBeUndefined();
  });

  it.each([
    [
      { message: "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens." },
      8192,
    ],
    [{ message: 'prompt is too long: 215000 tokens > 200000 maximum' }, 200_000],
    [
      { message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).' },
      1_048_576,
    ],
    [
      { message: "This model's maximum prompt length is 131,072 but the request contains 140000 tokens." },
      131_072,
    ],
    [
      {
        message: 'the request exceeds the available context size',
        type: 'exceed_context_size_error',
        n_ctx: 4096,
      },
      4096,
    ],
    [
      { message: 'Prompt contains 40000 tokens, too large for model with 32768 maximum context length' },
      32_768,
    ],
    [{ message: 'the model is loaded with context length of only 4096 tokens, which is not enough' }, 4096],
  ])('tells the window, and is not repeated as it is: %j', (error, contextWindow) => {
    expect(learn(status(400, { error }))).toEqual({ learned: { traits: { contextWindow } }, again: false });
  });

  it('that tells no number was too long by itself', () => {
    const long = wireBody({}, { messages: [user('x'.repeat(40_000))] });
    const failure = refusal('Please reduce the length of the messages.', { code: 'context_length_exceeded' });
    const window = learn(failure, {}, long)?.learned.traits?.contextWindow ?? 0;
    expect(window).toBeGreaterThan(9_000);
    expect(window).toBeLessThan(11_000);
  });

  it('although it was counted as fitting makes us count on less', () => {
    const failure = refusal("This model's maximum context length is 8192 tokens.");
    const traits = { contextWindow: 8192 };
    expect(learn(failure, { traits })?.learned.traits?.contextWindow).toBe(6553);
  });
});

describe('a demand', () => {
  it.each([
    [
      'The `reasoning_content` in the thinking mode must be passed back to the API.',
      { allReasoning: true, noReasoning: false },
    ],
    [
      'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2',
      { allReasoning: true, noReasoning: false },
    ],
    [
      "'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property 'reasoning_content' is unsupported)]",
      { noReasoning: true, allReasoning: false },
    ],
    ['Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.', { nineCharIds: true }],
    [
      "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got 46.",
      { shortIds: true },
    ],
    ["Unexpected role 'user' after role 'tool'", { bridgeAfterTool: true }],
    ['System role not supported', { systemAsUser: true }],
    ['invalid message content type: <nil>', { textWithCalls: true }],
    [
      'Invalid JSON payload received. Unknown name "additionalProperties" at \'tools[0]\': Cannot find field.',
      { geminiSchemas: true },
    ],
  ])('turns a switch on, once: %s', (message, quirks) => {
    expect(learn(refusal(message))).toEqual({ learned: { quirks }, again: true });
    expect(learn(refusal(message), { quirks })?.learned.quirks ?? quirks).toEqual(quirks);
  });
});

describe('other failures', () => {
  it('to read a call give a hint for one more try', () => {
    expect(learn({ type: 'tool_use_failed', detail: '' })).toEqual({
      learned: {},
      again: true,
      hint: expect.stringContaining('valid JSON'),
    });
  });

  it.each([401, 403, 429, 503])('of status %i teach nothing', (code) => {
    expect(learn(status(code, { error: { message: 'temperature is not supported' } }))).toBeUndefined();
  });

  it('that say nothing understandable teach nothing', () => {
    for (const odd of [undefined, null, 'no', [], { error: 7 }, { error: { message: ['x'], param: {} } }]) {
      expect(learn(status(400, odd))).toBeUndefined();
    }
    expect(learn({ type: 'timeout', ms: 1 })).toBeUndefined();
  });
});
