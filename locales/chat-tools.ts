import type { ServerState } from '../lib/types/setup.ts';
import { units } from './units.ts';

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** The tools of one chat. */
export const chatTools = {
  chatTools: {
    title: 'Tools for this chat',
    close: 'Close tools',
    count: (on: number, tokens: number): string => `${on} on, ${units.amount(tokens)} tokens`,
    fill: (share: number, window: number): string =>
      `Tools fill ${Math.max(1, Math.round(share * 100))}% of the ${units.window(window)} context.`,
    bySearch: (on: number): string => `${on} on, found by search`,
    searched: (window: number | undefined): string =>
      window === undefined
        ? 'So many tools are found by search.'
        : `${units.window(window)} context: tools are found by search.`,
    notSent: 'This model doesn’t call tools: none are sent.',
    manage: 'Manage servers',
    search: 'Search tools',
    noMatch: 'No tools match.',
    none: 'No servers yet. Add one to give the model tools.',
    add: 'Add server',
    of: (name: string): string => `Tools of ${name}`,
    use: (name: string): string => `Use ${name} in this chat`,
    onOf: (on: number, all: number): string => `${on} of ${all} tools`,
    off: 'off in Servers',
    own: 'built in',
    states: {
      connected: 'connected',
      connecting: 'connecting',
      disconnected: 'disconnected',
      error: 'error',
    } satisfies Record<ServerState, string>,
    needs: { sign_in: 'sign-in needed', launch: 'waits until you allow it' },
    inSettings: {
      sign_in: { word: 'Sign in', named: (name: string): string => `Sign in to ${name}` },
      launch: { word: 'Review', named: (name: string): string => `Review what ${name} starts` },
      native_host: { word: 'Settings', named: (name: string): string => `Settings of ${name}` },
    },
    reconnect: 'Reconnect',
    reconnectTo: (name: string): string => `Reconnect ${name}`,
    more: (count: number): string => counted(count, 'more tool'),
    choice: (name: string): string => `${name} in this chat`,
    choices: { inherit: 'As in settings', on: 'All on', off: 'All off' },
    reset: 'As in settings',
    resetTool: (name: string): string => `As in settings: ${name}`,
    unfit: 'not offered',
    instructions: 'Instructions from the server',
    instructionsSent: 'Sent to the model with each request of this chat.',
    instructionsKept: 'Not sent to the model: switched off in Servers.',
  },
};
