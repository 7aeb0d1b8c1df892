import { url } from './parameters.ts';
import { type CreateRun, type Definition, tabLine, textResult } from './tab-tool.ts';

export const definition: Definition = {
  description: 'Opens an address in a new tab, in the background.',
  parameters: { url },
  required: ['url'],
  annotations: { destructiveHint: false, openWorldHint: true },
};

export const run: CreateRun =
  ({ open }) =>
  async (_call, args) => {
    const tab = await open(String(args['url']));
    return textResult(`Opened ${tabLine(tab)}${tab.note ?? ''}`);
  };
