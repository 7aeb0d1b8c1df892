/** What the log says of what can be done with messages, and of what was deleted. */
export const messages = {
  messages: {
    copy: 'Copy',
    copied: 'Copied',
    notCopied: 'Not copied',
    edit: 'Edit',
    regenerate: 'Regenerate',
    regenerateWith: 'Regenerate with another model',
    branch: 'Branch',
    delete: 'Delete',
    previous: 'Previous version',
    next: 'Next version',
    version: (position: number, of: number): string => `${position} of ${of}`,
    /** Why a button can't be pressed now. */
    live: 'Stop the answer first, or wait until it ends',
    editor: 'Edit message',
    resend: 'Send',
    cancel: 'Cancel',
    editNote: 'Creates a new version. The original and its replies are kept.',
    quote: 'Quote',
    loading: 'Loading earlier messages',
  },
  undo: {
    done: {
      chat: 'Chat deleted',
      message: 'Message deleted',
      archived: 'Chat archived',
      unarchived: 'Chat unarchived',
    },
    undo: 'Undo',
    /** What is undone, where several lines stand one over the other. */
    undoOf: (title: string): string => `Undo: ${title}`,
    dismiss: 'Dismiss',
  },
};
