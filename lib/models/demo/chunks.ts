import type { Turn } from './answer.ts';

type Delta = {
  role?: 'assistant';
  content?: string;
  tool_calls?: {
    index: number;
    id?: string;
    type?: 'function';
    function: { name?: string; arguments: string };
  }[];
};

/** The turn as the deltas of a streamed chat completion: word by word, each call's name before its arguments. */
export function deltasOf(turn: Turn, newId: () => string): Delta[] {
  const words = turn.text.match(/\s*\S+\s*$|\s*\S+/g) ?? [];
  return [
    { role: 'assistant', content: '' },
    ...words.map((content) => ({ content })),
    ...turn.calls.flatMap((call, index): Delta[] => {
      const json = JSON.stringify(call.arguments);
      const half = Math.ceil(json.length / 2);
      return [
        {
          tool_calls: [
            { index, id: `call_${newId()}`, type: 'function', function: { name: call.name, arguments: '' } },
          ],
        },
        { tool_calls: [{ index, function: { arguments: json.slice(0, half) } }] },
        { tool_calls: [{ index, function: { arguments: json.slice(half) } }] },
      ];
    }),
  ];
}

/** About as many tokens as a real model would count: four characters each. */
export function usageOf(request: string, turn: Turn): Record<string, number> {
  const prompt = Math.ceil(request.length / 4);
  const completion = Math.ceil((turn.text.length + JSON.stringify(turn.calls).length) / 4);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}
