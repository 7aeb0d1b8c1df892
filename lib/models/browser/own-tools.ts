import type { Expectations, LanguageModelApi, PromptPart } from '../../language-model.ts';

/** The browser's own classes for what the model calls and a page runs (https://github.com/webmachinelearning/prompt-api#open-loop). */
type Classes = {
  LanguageModelToolCall: new (of: { callId: string; name: string; arguments: unknown }) => object;
  LanguageModelToolSuccess: new (of: { callId: string; name: string; result: PromptPart[] }) => object;
};
const classes = globalThis as unknown as Classes;

export type ChatTool = { name: string; description: string; parameters: Record<string, unknown> };

/** What a session is created with where the browser has the model call these tools itself; undefined where it does not. */
export async function withOwnTools(
  api: LanguageModelApi,
  { expectedInputs, expectedOutputs }: Expectations,
  { tools, toolChoice }: { tools: ChatTool[]; toolChoice: string },
): Promise<Expectations | undefined> {
  if (tools.length === 0 || toolChoice !== 'auto' || !('LanguageModelToolSuccess' in globalThis))
    return undefined;
  const options: Expectations = {
    expectedInputs: [...expectedInputs, { type: 'tool-call' }, { type: 'tool-response' }],
    expectedOutputs: [...expectedOutputs, { type: 'tool-call' }],
    tools: tools.map(({ name, description, parameters }) => ({
      name,
      description,
      inputSchema: { type: 'object', ...parameters },
    })),
  };
  // One that does not know all of this, or a part of a schema, refuses it.
  const availability = await api.availability(options).catch(() => 'unavailable');
  return availability === 'available' ? options : undefined;
}

export const callPart = (callId: string, name: string, args: unknown): PromptPart => ({
  type: 'tool-call',
  value: new classes.LanguageModelToolCall({ callId, name, arguments: args }),
});

export const resultPart = (callId: string, name: string, text: string): PromptPart => ({
  type: 'tool-response',
  value: new classes.LanguageModelToolSuccess({ callId, name, result: [{ type: 'text', value: text }] }),
});
