import { describe, expect, it, vi } from 'vitest';
import { askedUrl, askedUrls } from '../../lib/state/trust/address-warnings.ts';
import { createKeptAnswers } from '../../lib/state/composer/kept-answers.ts';
import { readForm } from '../../lib/state/chat/request-answer.ts';
import {
  draftOfForm,
  fieldsOf,
  heldBy,
  withHeld,
  type FormDraft,
} from '../../lib/state/chat/request-form.ts';

const schemaOf = (properties: Record<string, unknown>, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
});
const read = (properties: Record<string, unknown>, draft: FormDraft, required: string[] = []) =>
  readForm(fieldsOf(schemaOf(properties, required)), draft);

describe('a server’s form', () => {
  const every = schemaOf(
    {
      name: { type: 'string', title: 'Name', description: 'Yours', default: 'Ada' },
      age: { type: 'integer', default: 36 },
      admin: { type: 'boolean', default: true },
      colour: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'], default: 'g' },
      size: { oneOf: [{ const: 's', title: 'Small' }, { const: 'l' }] },
      tags: { type: 'array', items: { anyOf: [{ const: 'x', title: 'X' }] }, default: ['x', 'gone'] },
      nested: { type: 'object' },
    },
    ['name'],
  );

  it('has a field for every kind of question, in the schema’s order', () => {
    expect(fieldsOf(every).map(({ name, type, label }) => [name, type, label])).toEqual([
      ['name', 'text', 'Name'],
      ['age', 'number', 'age'],
      ['admin', 'boolean', 'admin'],
      ['colour', 'choice', 'colour'],
      ['size', 'choice', 'size'],
      ['tags', 'choices', 'tags'],
      ['nested', 'unfit', 'nested'],
    ]);
    expect(fieldsOf(every)[3]).toMatchObject({
      options: [
        { value: 'r', label: 'Red' },
        { value: 'g', label: 'Green' },
      ],
    });
    expect(fieldsOf(every)[4]).toMatchObject({
      options: [
        { value: 's', label: 'Small' },
        { value: 'l', label: 'l' },
      ],
    });
  });

  it('begins with the defaults that fit, and sends them as what they are', () => {
    const draft = draftOfForm(every);
    expect(draft).toMatchObject({ name: 'Ada', age: '36', admin: true, colour: 'g', size: '', tags: ['x'] });
    expect(readForm(fieldsOf(every), draft)).toEqual({
      content: { name: 'Ada', age: 36, admin: true, colour: 'g', tags: ['x'] },
      faults: new Map(),
    });
  });

  it('takes no default and no label that a browser takes seconds to lay out', () => {
    const long = 'אa'.repeat(50_000);
    const properties = { a: { default: long }, b: { enum: [long] } };
    const [, choice] = fieldsOf({ properties });
    expect(draftOfForm({ properties })).toEqual({ a: '', b: '' });
    expect(choice).toMatchObject({ options: [{ value: long, label: `${long.slice(0, 5_000)}…` }] });
  });

  it('survives a schema that is none', () => {
    expect(fieldsOf({ properties: 'all' })).toEqual([]);
    expect(fieldsOf({ properties: { a: null, b: 7 }, required: 'a' }).map(({ type }) => type)).toEqual([
      'text',
      'text',
    ]);
  });

  it('leaves out what is left empty, unless it is required', () => {
    const properties = { a: { type: 'string' }, b: { type: 'array', items: { enum: ['x'] } } };
    expect(read(properties, { a: ' ', b: [] })).toEqual({ content: {}, faults: new Map() });
    expect([...read(properties, { a: '', b: [] }, ['a', 'b']).faults]).toEqual([
      ['a', 'a is required.'],
      ['b', 'b is required.'],
    ]);
  });

  it('keeps a date and time in the user’s zone while it is typed, and sends the instant', () => {
    const at = '2026-12-04T10:30:00.000Z';
    const properties = { at: { type: 'string', format: 'date-time', default: at } };
    const draft = draftOfForm(schemaOf(properties));
    expect(draft['at']).toMatch(/^2026-12-0\dT\d\d:30$/);
    expect(read(properties, draft).content).toEqual({ at });
  });

  it('keeps the seconds of a default', () => {
    const at = '2026-12-04T10:30:07.000Z';
    const properties = { at: { type: 'string', format: 'date-time', default: at } };
    expect(read(properties, draftOfForm(schemaOf(properties))).content).toEqual({ at });
  });

  it('leaves out a default at the end of time, which another zone does not have', () => {
    const ends = ['-271821-04-20T00:00:00.000Z', '+275760-09-13T00:00:00.000Z'];
    const field = (end: string) => ({ type: 'string', format: 'date-time', default: end });
    const zone = vi.spyOn(Date.prototype, 'getTimezoneOffset');
    for (const minutes of [-60, 60]) {
      zone.mockReturnValue(minutes);
      const drafts = ends.map((end) => draftOfForm(schemaOf({ at: field(end) }))['at']);
      expect(drafts).toContain('');
    }
    zone.mockRestore();
  });

  it('says of a default in a year that no field takes that it is no time', () => {
    const properties = {
      at: { type: 'string', format: 'date-time', default: '+010000-01-01T00:00:00.000Z' },
    };
    const { content, faults } = read(properties, draftOfForm(schemaOf(properties)));
    expect([content, faults.has('at')]).toEqual([{}, true]);
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('may ask for %s', (name) => {
    const properties = Object.fromEntries([[name, { type: 'string' }]]);
    expect(read(properties, {})).toEqual({ content: {}, faults: new Map() });
    expect(read(properties, {}, [name]).faults.get(name)).toBe(`${name} is required.`);
    const draft = withHeld(draftOfForm(schemaOf(properties)), name, 'Ada');
    expect(heldBy(draft, name)).toBe('Ada');
    expect(Object.entries(read(properties, draft, [name]).content)).toEqual([[name, 'Ada']]);
  });

  it('can’t be sent when a required answer is of a kind that forms do not have', () => {
    expect(read({ o: { type: 'object' } }, { o: '' }, ['o']).faults.get('o')).toMatch(/no field/);
    expect(read({ o: { type: 'object' } }, { o: '' })).toEqual({ content: {}, faults: new Map() });
  });

  it.each([
    { type: 'string', enum: [1, 2] },
    { type: 'string', enum: [] },
    { type: 'number', minimum: 5, maximum: 1 },
    { type: 'integer', minimum: 0.2, maximum: 0.8 },
    { type: 'string', minLength: 5, maxLength: 1 },
    { type: 'array', items: { enum: ['x', 'y'] }, minItems: 2, maxItems: 1 },
    { type: 'array', items: { enum: ['x', 'y'] }, minItems: 3 },
  ])('has no field where no answer would do: %j', (property) => {
    expect(fieldsOf(schemaOf({ it: property }))[0]?.type).toBe('unfit');
    expect(read({ it: property }, { it: '1' }, ['it']).faults.get('it')).toMatch(/no field/);
  });

  it.each([
    [{ type: 'integer', minimum: 1, maximum: 10 }, '14', 'Enter a whole number from 1 to 10.'],
    [{ type: 'integer' }, '1.5', 'Enter a whole number.'],
    [{ type: 'number', minimum: 0 }, '-1', 'Enter a number, 0 or more.'],
    [{ type: 'number', maximum: 5 }, '6', 'Enter a number, 5 or less.'],
    [{ type: 'number' }, 'many', 'Enter a number.'],
    [{ type: 'string', minLength: 3 }, 'ab', 'Enter at least 3 characters.'],
    [{ type: 'string', maxLength: 1 }, 'ab', 'Enter at most 1 character.'],
    [{ type: 'string', minLength: 2, maxLength: 4 }, 'a', 'Enter 2 to 4 characters.'],
    [{ type: 'string', format: 'email' }, 'ada', 'Enter an email address, such as name@example.com.'],
    [{ type: 'string', format: 'uri' }, 'example', 'Enter a full address, such as https://example.com/.'],
    [{ type: 'string', format: 'date' }, '2026-13-40', 'Enter a date.'],
    [
      { type: 'string', pattern: '^[A-Z]+$' },
      'ab',
      'This doesn’t match the format the server expects: ^[A-Z]+$',
    ],
    [{ type: 'array', items: { enum: ['x', 'y', 'z'] }, maxItems: 1 }, ['x', 'y'], 'Choose at most 1.'],
    [{ type: 'array', items: { enum: ['x', 'y', 'z'] }, minItems: 2, maxItems: 2 }, ['x'], 'Choose 2.'],
  ])('says in words what is wrong: %j does not take %j', (property, value, fault) => {
    expect(read({ it: property }, { it: value }).faults.get('it')).toBe(fault);
  });

  it('counts characters as people do', () => {
    expect(read({ it: { type: 'string', maxLength: 2 } }, { it: '👍👍' }).faults.size).toBe(0);
  });

  it('leaves a pattern that could take for ever to the server', () => {
    const fits = (pattern: string, text: string): boolean =>
      read({ it: { type: 'string', pattern } }, { it: text }).faults.size === 0;
    expect(fits('(a+)+$', `${'a'.repeat(40)}!`)).toBe(true);
    expect([fits('^a*a*b', 'a'.repeat(200)), fits('^a*a*b', 'a'.repeat(201))]).toEqual([false, true]);
  });

  it('shows hidden characters of labels instead of obeying them', () => {
    expect(fieldsOf(schemaOf({ a: { title: 'Name\u202e' } }))[0]?.label).toBe('Name\\u202e');
  });
});

describe('answers that are not sent yet', () => {
  const storeOf = (text: string | null) => {
    let kept = text;
    return { getItem: () => kept, setItem: (_key: string, value: string) => void (kept = value) };
  };

  it('are there again when the panel was closed in between', () => {
    const store = storeOf(null);
    createKeptAnswers(store).keep('r1', { name: 'Ada' });
    expect(createKeptAnswers(store).of('r1')).toEqual({ name: 'Ada' });
  });

  it('are forgotten once they are sent, and beyond the newest ten', () => {
    const store = storeOf(null);
    const answers = createKeptAnswers(store);
    for (let count = 0; count <= 10; count += 1) answers.keep(`r${count}`, { count: `${count}` });
    answers.forget('r10');
    expect(answers.of('r10')).toBeNull();
    expect(createKeptAnswers(store).of('r0')).toBeNull();
    expect(createKeptAnswers(store).of('r9')).toEqual({ count: '9' });
  });

  it('of two panels are kept side by side, and forgotten in both', () => {
    const store = storeOf(null);
    const [here, there] = [createKeptAnswers(store), createKeptAnswers(store)];
    here.keep('r1', { name: 'Ada' });
    there.keep('r2', { name: 'Bea' });
    here.keep('r3', { name: 'Cleo' });
    there.forget('r1');
    expect(['r1', 'r2', 'r3'].map((id) => here.of(id))).toEqual([null, { name: 'Bea' }, { name: 'Cleo' }]);
  });

  it('live as long as the page where nothing outlives it', () => {
    const answers = createKeptAnswers(null);
    answers.keep('r1', { name: 'Ada' });
    expect(answers.of('r1')).toEqual({ name: 'Ada' });
  });

  it('begin anew when what is kept can’t be read', () => {
    expect(createKeptAnswers(storeOf('{')).of('r1')).toBeNull();
  });
});

describe('an address that a server wants visited', () => {
  it('is named by its host, with the port', () => {
    expect(askedUrl('https://example.com:8443/a?b')).toEqual({
      host: 'example.com:8443',
      opens: true,
      warnings: [],
    });
  });

  it('is not opened when it is no address of the web', () => {
    for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'nowhere']) {
      expect(askedUrl(url).opens).toBe(false);
    }
  });

  it('comes with a warning when it is not encrypted, looks like another, or hides its host', () => {
    expect(askedUrl('http://example.com/').warnings).toEqual(['plain']);
    expect(askedUrl('http://127.0.0.1:3000/').warnings).toEqual([]);
    expect(askedUrl('https://gіthub.com/')).toMatchObject({
      host: 'xn--gthub-n2e.com',
      warnings: ['lookalike'],
    });
    expect(askedUrl('https://github.com@evil.example/')).toMatchObject({
      host: 'evil.example',
      warnings: ['user'],
    });
  });

  it('is found within the arguments of a call, also in a longer text, what may deceive first', () => {
    const args = {
      text: 'Not https://github.com, but https://gіthub.com/ or https://github.com@evil.example.',
    };
    expect(askedUrls(JSON.stringify(args))).toEqual([
      { host: 'xn--gthub-n2e.com', opens: true, warnings: ['lookalike'] },
      { host: 'evil.example', opens: true, warnings: ['user'] },
      { host: 'github.com', opens: true, warnings: [] },
    ]);
    expect(askedUrls('{"url":"https://good.example~.evil.example/"}')).toMatchObject([
      { host: 'good.example~.evil.example' },
    ]);
    expect(askedUrls('{"url":"wss://github.com@evil.example/"}')).toEqual([
      { host: 'evil.example', opens: false, warnings: ['user'] },
    ]);
    expect(askedUrls('{"text":')).toEqual([]);
  });
});
