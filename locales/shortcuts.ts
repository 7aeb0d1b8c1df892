/** The keys of the panel, as its dialog lists them. */
export const shortcuts = {
  keys: {
    close: 'Close keyboard shortcuts',
    /** `Mod` is Ctrl, or Command on a Mac. */
    names: { Mod: 'Ctrl', Shift: 'Shift', Alt: 'Alt', Enter: 'Enter', Escape: 'Esc', Up: '↑' },
    mac: { Mod: '⌘', Shift: '⇧', Alt: '⌥' },
    groups: {
      panel: 'In the panel',
      message: 'In the message',
      approval: 'In an approval',
      parts: 'In parts',
    },
    send: 'Send, or queue while an answer is written',
    sendOther: 'While an answer is written: the other way, at once or queued',
    steer: 'While an answer is written: slip in at the next step',
    line: 'New line',
    prompts: 'At the start: prompts and commands',
    context: 'Context: resources, files',
    edit: 'In an empty field: edit the message before',
    escape: 'Close what is on top, or else stop the answer',
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
