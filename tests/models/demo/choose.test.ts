import { describe, expect, it } from 'vitest';
import { choose, type ModelTool } from '../../../lib/models/demo/choose.ts';

const numbers = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'number' }])),
  required: names,
});

/** None of them is called, or takes its parameters, as on the demo server. */
const invented: ModelTool[] = [
  {
    name: 'mcp__7__compute_total',
    description: 'Computes the total of two figures',
    parameters: numbers('first', 'second'),
  },
  {
    name: 'mcp__7__repeat_phrase',
    description: 'Repeats a phrase',
    parameters: { type: 'object', properties: { phrase: { type: 'string' } }, required: ['phrase'] },
  },
  {
    name: 'getWeather',
    description: 'Current weather for a city',
    parameters: {
      type: 'object',
      properties: {
        city: { type: 'string', enum: ['Paris', 'New York'] },
        unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
        includeHumidity: { type: 'boolean', description: 'Whether to include humidity' },
      },
      required: ['city'],
    },
  },
  {
    name: 'local_time',
    description: 'The time of day in a place',
    parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
  },
  {
    name: 'start_timer',
    description: 'Starts a timer',
    parameters: {
      type: 'object',
      properties: {
        rounds: { type: 'integer', minimum: 1, maximum: 9 },
        pause: { type: ['number', 'null'], description: 'Pause in seconds' },
      },
      required: ['rounds'],
    },
  },
  {
    name: 'sort_list',
    description: 'Sorts a list of values',
    parameters: {
      type: 'object',
      properties: { values: { type: 'array', items: { type: 'number' } } },
      required: ['values'],
    },
  },
  { name: 'flush_cache', description: 'Empties the cache', parameters: { type: 'object' } },
];

describe('choosing among tools it has never seen', () => {
  it.each([
    ['Add 2 and 40 with the sum tool', 'mcp__7__compute_total', { first: 2, second: 40 }],
    ['Compute the total of -1.5 and 1,000', 'mcp__7__compute_total', { first: -1.5, second: 1000 }],
    ['What is 2 + 40?', 'mcp__7__compute_total', { first: 2, second: 40 }],
    ['compute the total with second=7 and first=5', 'mcp__7__compute_total', { first: 5, second: 7 }],
    ['Echo the word banana7', 'mcp__7__repeat_phrase', { phrase: 'banana7' }],
    ['Repeat the phrase hello there, sailor.', 'mcp__7__repeat_phrase', { phrase: 'hello there, sailor' }],
    ['repeat "add 2 and 3"', 'mcp__7__repeat_phrase', { phrase: 'add 2 and 3' }],
    ['Repeat "one; and add 2 and 3"', 'mcp__7__repeat_phrase', { phrase: 'one; and add 2 and 3' }],
    ['Say back pineapple', 'mcp__7__repeat_phrase', { phrase: 'pineapple' }],
    ['Repeat cats and dogs', 'mcp__7__repeat_phrase', { phrase: 'cats and dogs' }],
    ['What’s the weather in paris, in celsius?', 'getWeather', { city: 'Paris', unit: 'celsius' }],
    ['Forecast for New York with humidity', 'getWeather', { city: 'New York', includeHumidity: true }],
    ['Weather in Paris without humidity', 'getWeather', { city: 'Paris', includeHumidity: false }],
    ['What time is it in Tokyo?', 'local_time', { place: 'Tokyo' }],
    ['Start a timer of 3 rounds with 20 seconds in between', 'start_timer', { rounds: 3, pause: 20 }],
    ['Sort the list 3, 1 and 2', 'sort_list', { values: [3, 1, 2] }],
    ['Flush the cache', 'flush_cache', {}],
  ])('%s', (question, name, args) => {
    expect(choose(question, invented)).toEqual({ type: 'calls', calls: [{ name, arguments: args }] });
  });

  it.each([
    'What is the capital of France?',
    'Hello',
    '',
    'Who wrote Moby Dick?',
    'Is Paris nice in spring?',
    'Sum up the history of the French navy for me',
    'How does a browser cache work, and when is it too large?',
  ])('chooses none for: %s', (question) => {
    expect(choose(question, invented)).toEqual({ type: 'none' });
  });

  it('asks for what the question leaves open, with the values it may have', () => {
    expect(choose('What is the weather?', invented)).toEqual({
      type: 'ask',
      tool: 'getWeather',
      missing: [{ name: 'city', hint: 'Paris, New York' }],
    });
  });

  it('asks rather than break the schema', () => {
    expect(choose('Start a timer of 12 rounds', invented).type).toBe('ask');
    expect(choose('Start a timer of 2.5 rounds', invented).type).toBe('ask');
  });

  it('never gives one text to two parameters', () => {
    const send: ModelTool = {
      name: 'send_note',
      description: 'Sends a note',
      parameters: {
        type: 'object',
        properties: { to: { type: 'string' }, text: { type: 'string' } },
        required: ['to', 'text'],
      },
    };
    expect(choose('Send note hello', [send])).toMatchObject({ type: 'ask', missing: [{ name: 'text' }] });
    expect(choose('Send note "ann" "hello"', [send])).toMatchObject({
      calls: [{ arguments: { to: 'ann', text: 'hello' } }],
    });
  });
});

describe('a message that asks for no deed', () => {
  const tools: ModelTool[] = [
    ...invented,
    {
      name: 'delete_file',
      description: 'Deletes a file',
      parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
  ];

  it.each([
    'Please do not delete the file /etc/passwd',
    'Please don’t delete the file /etc/passwd.',
    'Never delete the file /etc/passwd!',
    'Do not, under any circumstances, delete the file /etc/passwd',
    'Do not... delete the file /etc/passwd',
    'Do not\ndelete the file /etc/passwd',
    'You must not delete, rename or move the file /etc/passwd',
    'Deleting the file /etc/passwd is not allowed',
    'Don’t worry about deleting the file /etc/passwd',
    'Tidy up without deleting the file /etc/passwd',
    'Do not delete the file "/etc/passwd"',
    'How do I delete a file on Linux?',
    'how can I delete the file /etc/passwd',
    'Tell me how to delete a file on Linux',
    'When I delete the file /etc/passwd, how do I get it back?',
    'How is a file deleted on Linux?',
    'What does delete_file do with /etc/passwd?',
    'What happens if I delete the file /etc/passwd?',
    'Why delete the file /etc/passwd?',
    'Should I delete the file /etc/passwd?',
  ])('chooses none for: %s', (question) => {
    expect(choose(question, tools)).toEqual({ type: 'none' });
  });

  it.each([
    'Don’t worry, add 2 and 40',
    'Do not delete the file /etc/passwd. Add 2 and 40',
    'Add 2 and 40, and never delete a file',
    'Add 2 and 40 without deleting a file',
    'Without deleting, renaming or moving a file, add 2 and 40',
    'Do not delete a file, but add 2 and 40',
    'How do I delete a file on Linux? Never mind, add 2 and 40.',
    'Don’t forget to add 2 and 40',
  ])('still does what else is asked for: %s', (question) => {
    expect(choose(question, tools)).toEqual({
      type: 'calls',
      calls: [{ name: 'mcp__7__compute_total', arguments: { first: 2, second: 40 } }],
    });
  });

  it('takes a quoted text for no instruction of its own', () => {
    expect(choose('Delete the file "do not touch.txt"', tools)).toMatchObject({
      calls: [{ name: 'delete_file', arguments: { path: 'do not touch.txt' } }],
    });
  });
});

describe('several things in one question', () => {
  it('makes two calls for two tools', () => {
    expect(choose('Add 2 and 3 and also repeat hello', invented)).toEqual({
      type: 'calls',
      calls: [
        { name: 'mcp__7__compute_total', arguments: { first: 2, second: 3 } },
        { name: 'mcp__7__repeat_phrase', arguments: { phrase: 'hello' } },
      ],
    });
  });

  it('calls the same tool twice', () => {
    expect(choose('Weather in Paris, then weather in New York', invented)).toMatchObject({
      calls: [{ arguments: { city: 'Paris' } }, { arguments: { city: 'New York' } }],
    });
  });
});

describe('a tool from a careless or hostile server', () => {
  it.each([undefined, null, 'object', [], { type: 'object', properties: [] }, { properties: { a: null } }])(
    'survives the schema %j',
    (parameters) => {
      const tool = { name: 'odd_tool_(+', description: '', parameters };
      expect(() => choose('Use the odd tool', [tool])).not.toThrow();
    },
  );

  it('takes a parameter name for no pattern', () => {
    const tool: ModelTool = {
      name: 'greet',
      description: '',
      parameters: { type: 'object', properties: { '(.+': { type: 'string' } }, required: ['(.+'] },
    };
    expect(choose('greet Ann', [tool])).toMatchObject({ calls: [{ arguments: { '(.+': 'Ann' } }] });
  });
});
