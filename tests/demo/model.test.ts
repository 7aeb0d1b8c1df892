import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemoModel, type DemoModel } from '../../demo/model.ts';

let model: DemoModel;
let client: OpenAI;

beforeAll(async () => {
  model = await startDemoModel({ wordDelay: 0 });
  client = new OpenAI({ baseURL: model.baseUrl, apiKey: 'none', maxRetries: 0 });
});

afterAll(() => model.stop());

const echo: OpenAI.ChatCompletionFunctionTool = {
  type: 'function',
  function: {
    name: 'echo',
    description: 'Echoes a message',
    parameters: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
  },
};

async function stream(content: string, tools: OpenAI.ChatCompletionFunctionTool[] = []) {
  const chunks = [];
  const request = {
    model: 'portside-demo',
    stream: true,
    tools,
    messages: [{ role: 'user', content }],
  } as const;
  for await (const chunk of await client.chat.completions.create({
    ...request,
    messages: [...request.messages],
  })) {
    chunks.push(chunk);
  }
  return chunks;
}

describe('the demo model’s server, through the openai package', () => {
  it('lists itself', async () => {
    const { data } = await client.models.list();
    expect(data.map(({ id }) => id)).toEqual(['portside-demo']);
  });

  it('streams an answer word by word, then the reason it stopped, then the usage', async () => {
    const chunks = await stream('Hello');
    const words = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').filter((word) => word !== '');
    expect(words.length).toBeGreaterThan(5);
    expect(words.join('')).toContain('I am Portside’s demo model, a scripted stand-in');
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
    expect(chunks.at(-1)?.usage?.total_tokens).toBeGreaterThan(0);
  });

  it('streams a call in pieces that make valid JSON', async () => {
    const chunks = await stream('Echo the word banana7', [echo]);
    const calls = chunks.flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? []);
    expect(calls[0]).toMatchObject({
      index: 0,
      id: expect.stringMatching(/^call_/),
      function: { name: 'echo' },
    });
    expect(JSON.parse(calls.map((call) => call.function?.arguments ?? '').join(''))).toEqual({
      message: 'banana7',
    });
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('tool_calls');
  });

  it('says what is wrong with a request', async () => {
    const send = (body: string) => fetch(`${model.baseUrl}/chat/completions`, { method: 'POST', body });
    for (const body of ['{}', 'no json', '{"messages":[{"role":"user"}],"stream":false}', 'null']) {
      const response = await send(body);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { message: expect.any(String) } });
    }
    expect((await fetch(`${model.baseUrl}/nothing`)).status).toBe(404);
  });
});
