/** The keys of the panel, as its dialog lists them. */
export const shortcuts = {
  keys: {
    close: 'Close keyboard shortcuts',
    groups: {
      panel: 'In the panel',
      message: 'In the message',
      approval: 'In an approval',
      parts: 'Lists and trees',
      browser: 'On any page',
    },
    /** What the browser's own keys do, by their names in the manifest. */
    browser: {
      _execute_action: 'Open Portside, with access to the page in front',
      _execute_sidebar_action: 'Open or close Portside',
      'selection-ask': 'Ask about what is selected',
      'page-ask': 'Ask about the page',
    },
    omnibox: 'In the address bar: ask what you type after it and a space',
    unset: 'not set',
    /** Where the browser has them changed. */
    change: {
      chromium: 'The browser has these. Change them at chrome://extensions/shortcuts.',
      firefox: 'Firefox has these. Change them at about:addons, under the cog: Manage Extension Shortcuts.',
    },
    send: 'Send, or queue while an answer is written',
    sendOther: 'While an answer is written: the other way, at once or queued',
    steer: 'Send during an answer',
    line: 'New line',
    prompts: 'At the start: prompts and commands',
    context: 'Context: resources, files',
    edit: 'In an empty field: edit the message before',
    escape: 'Close, or stop the answer',
    newChat: 'New chat',
    history: 'Search the history',
    toApproval: 'Go to what waits for you',
    toMessage: 'Go to the message',
    help: 'These shortcuts',
    allow: 'Allow once',
    deny: 'Deny',
    arrows: 'Tabs, lists and trees: move; left and right close and open',
  },
};
