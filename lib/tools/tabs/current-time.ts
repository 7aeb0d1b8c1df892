import { type CreateRun, type Definition, textResult } from './tab-tool.ts';

export const definition: Definition = {
  description: 'Tells the user’s date, time and time zone.',
  annotations: { readOnlyHint: true },
};

export const run: CreateRun =
  ({ now }) =>
  async () => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    return textResult(`${new Date(now()).toString()}, ${timeZone}`);
  };
