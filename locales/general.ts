/** What the page General says. */
export const general = {
  general: {
    agent: 'Agent',
    panel: 'Side panel',
    look: 'Appearance',
    notifications: 'Notifications',
    system: 'System prompt',
    restore: 'Restore the default',
    maxIterations: 'Maximum steps',
    maxTools: 'Tools sent at most',
    maxToolShare: 'Share of the context for tools (%)',
    maxLoggedCalls: 'Calls kept in the tool log',
    whileLive: 'Sending while an answer is running',
    whileLives: { queue: 'Queue', now: 'Interrupt' },
    atEntry: 'Questions from a page',
    atEntries: { ask: 'Ask at once', fill: 'Put into the composer' },
    makeTitles: 'Titles by the model',
    panelScope: 'Panel scope',
    panelScopes: { all: 'All windows', window: 'Per window', tab: 'Per tab' },
    enterSends: 'Enter sends',
    theme: 'Theme',
    themes: { system: 'System', light: 'Light', dark: 'Dark' },
    textSize: 'Text size',
    textSizes: { small: 'Small', normal: 'Normal', large: 'Large', larger: 'Larger' },
    notify: 'Notify me',
    help: {
      system:
        'What models are told first, in chats that have no system prompt of their own. {{date}} and {{language}} are filled in. Models that can read pages are told so too.',
      maxIterations: 'After this many rounds Portside stops and offers Continue. From 1 to 50.',
      maxTools: 'With more tools than this the model finds them by search instead. 1 to 1000.',
      maxToolShare: 'Tools that would take more of it are found by search instead. 1 to 90.',
      maxLoggedCalls:
        'Of older calls in chats the log keeps no arguments and results; others it forgets. 100 to 100,000.',
      whileLive: 'Queue sends your message after the answer. Interrupt stops the answer first.',
      atEntry: 'From the context menu or a keyboard shortcut.',
      makeTitles:
        'After its first answer the chat’s model is asked for a title. Off: a chat is named by how it begins.',
      panelScope: 'Chats are always kept. This only decides which one a panel shows.',
      enterSends: 'Off: Enter starts a new line and Ctrl+Enter sends.',
      textSize: 'Of the panel and of these pages.',
      notify:
        'When a chat that you don’t look at needs you, or has its answer. Shows the chat’s title and how the answer begins; never what a tool is sent.',
    },
    notAllowed: 'The browser did not let Portside notify you.',
    allowAgain:
      'Switch it on again and choose Allow. If the browser does not ask, allow notifications for Portside on its page of extensions.',
  },
};
