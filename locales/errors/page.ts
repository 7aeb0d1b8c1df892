// Why nothing can be read of a page, and what to do then.

export const gone = {
  message: 'This tab is closed.',
  fix: 'Open the page again, then attach it again.',
};

export const noAccess = {
  message: 'Portside needs your permission to read this page.',
  fix: 'Allow it here, or press Portside’s button in the toolbar while the page is in front.',
};

/** The browser gives pictures of pages for all sites or, after a gesture, for one; with the access to one site not. */
export const noPicture = {
  message: 'Portside needs your permission to take a picture of this page.',
  fix: 'Allow all sites here: for pictures the browser asks for no less. Or press Portside’s button in the toolbar while the page is in front.',
};

export const closed = {
  message: 'Browsers don’t let extensions read this page.',
  fix: 'Select and copy what matters, and paste it here; a screenshot of your own can be pasted too.',
};

export const viewer = {
  message: 'The browser shows this file in a viewer that no extension can read.',
  fix: 'Save the file, and attach it.',
};

export const busy = (seconds: number) => ({
  message: `The page did not answer within ${seconds} seconds.`,
  fix: 'It may be busy, or wait for you in a dialog. Look at it, then try again.',
});

export const notRead = { message: 'The page could not be read.', fix: 'Reload it, then try again.' };

export const tabClosed = {
  message: 'The new tab is closed again: the page was a download.',
  fix: 'Read it with fetch_url.',
};

export const nothing = {
  page: { message: 'The page shows no text.', fix: 'Attach a screenshot of it instead.' },
  selection: { message: 'Nothing is selected on the page.', fix: 'Select something, then try again.' },
  field: {
    message: 'The cursor is in no form field of the page.',
    fix: 'Click into the field, then try again.',
  },
  screenshot: {
    message: 'The page could not be photographed.',
    fix: 'Bring its tab to the front, then try again.',
  },
};

export const secret = {
  message: 'Portside does not read passwords, codes or card numbers.',
  fix: 'Type what you want to ask about.',
};

/** Why nothing was put into a form field. */
export const field = {
  gone: {
    message: 'The form field no longer exists.',
    fix: 'Copy the answer, and paste it where it belongs.',
  },
  moved: {
    message: 'The selected text is no longer in the field.',
    fix: 'Copy the answer, and paste it where it belongs.',
  },
  changed: {
    message: 'Somebody has written into the field since.',
    fix: 'Undo it on the page itself.',
  },
  inexact: {
    message: 'The field does not hold just what it held before.',
    fix: 'Look at it, and undo on the page itself.',
  },
  locked: {
    message: 'The form field can’t be written into.',
    fix: 'Copy the answer, and paste it where it belongs.',
  },
  refused: {
    message: 'The form field does not take the text as it is.',
    fix: 'Copy the answer, and change it so that it fits.',
  },
};
