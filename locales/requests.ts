import type { SamplingRequest } from '../lib/types/request.ts';
import { units } from './units.ts';

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** What a server asks of the person in the middle of a call. */
export const requests = {
  request: {
    from: (server: string): string => `Request from ${server}`,
    optional: 'optional',
    choose: (least: number, most: number | undefined): string =>
      most === undefined
        ? `Choose at least ${least}.`
        : least === most
          ? `Choose ${most}.`
          : least === 0
            ? `Choose at most ${most}.`
            : `Choose ${least} to ${most}.`,
    pick: 'Choose…',
    noAnswer: 'No answer',
    required: (label: string): string => `${label} is required.`,
    unfit: 'Portside has no field in which an answer to this would fit. Decline the request.',
    number: (whole: boolean, least: number | undefined, most: number | undefined): string => {
      const kind = whole ? 'a whole number' : 'a number';
      if (least !== undefined && most !== undefined) return `Enter ${kind} from ${least} to ${most}.`;
      if (least !== undefined) return `Enter ${kind}, ${least} or more.`;
      return most === undefined ? `Enter ${kind}.` : `Enter ${kind}, ${most} or less.`;
    },
    length: (least: number, most: number | undefined): string =>
      most === undefined
        ? `Enter at least ${counted(least, 'character')}.`
        : least === 0
          ? `Enter at most ${counted(most, 'character')}.`
          : least === most
            ? `Enter ${counted(most, 'character')}.`
            : `Enter ${least.toLocaleString('en')} to ${counted(most, 'character')}.`,
    pattern: (pattern: string): string => `This does not have the form that the server asks for: ${pattern}`,
    formats: {
      email: 'Enter an email address, such as name@example.com.',
      uri: 'Enter a whole address, such as https://example.com/.',
      date: 'Enter a date.',
      'date-time': 'Enter a date and a time.',
    },
    submit: 'Submit',
    decline: 'Decline',
    cancel: 'Cancel',
    goesTo: (host: string): string => `Your answers go to ${host}. Never enter a password or key here.`,
    open: (host: string): string => `Open ${host}`,
    address: 'Address',
    leaves: 'The page opens in a tab of its own. Nothing you do there comes through Portside.',
    cantOpen: 'This is no address of the web. Portside does not open it.',
    warnings: {
      plain: 'The connection is not encrypted: others on the network can read it.',
      lookalike: 'This name contains letters that can look like others. Check that it is the site you mean.',
      user: 'The address begins with a user name. The site is the part after the @.',
    },
  },
  sampling: {
    title: (server: string): string => `Approve sampling for ${server}`,
    lead: (server: string): string => `${server} wants to ask your model`,
    /** Where it goes: the same words as beneath the composer. */
    asks: (model: string, where: string): string => `${model}. ${where}.`,
    noModel: 'No model is chosen for this chat.',
    system: 'System prompt',
    roles: { user: 'User', assistant: 'Assistant' },
    tools: 'Tools of the server',
    /** How it is asked, as far as the server wants it otherwise than usual. */
    how: ({ temperature, stopSequences = [], toolChoice }: SamplingRequest): string =>
      [
        temperature !== undefined && `Temperature ${temperature}.`,
        stopSequences.length > 0 &&
          `Stops at ${stopSequences.map((each) => JSON.stringify(each)).join(', ')}.`,
        toolChoice === 'required' && 'Must call a tool.',
        toolChoice === 'none' && 'May call no tool.',
      ]
        .filter((part) => typeof part === 'string')
        .join(' '),
    noDescription: 'No description.',
    most: (tokens: number): string => `At most ${units.amount(tokens)} tokens.`,
    called: (name: string): string => `Calls ${name}`,
    result: (isError: boolean): string => (isError ? 'Tool error' : 'Tool result'),
    more: 'Show all',
    less: 'Show less',
  },
};
