// Why a file can’t be attached, and what to do then.

const megabytes = (bytes: number): string =>
  `${(bytes / 1_000_000).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;

const kinds = { text: 'file', picture: 'picture', pdf: 'PDF', docx: 'Word document' };

export const broken = (kind: keyof typeof kinds) => ({
  message: `The ${kinds[kind]} can’t be read.`,
  fix: 'It may be damaged: open it yourself to check.',
});

export const unopened = {
  message: 'The file can’t be read.',
  fix: 'It may be a folder, whose files can be attached one by one, or it was moved meanwhile.',
};

export const tooLarge = (kind: keyof typeof kinds, size: number, most: number) => ({
  message: `The ${kinds[kind]} is too large to attach.`,
  cause: `It has ${megabytes(size)}; Portside reads up to ${megabytes(most)} of ${kind === 'text' ? 'text' : `a ${kinds[kind]}`}.`,
  fix: 'Attach a part of it.',
});

export const tooLong = (length: number, most: number) => ({
  message: 'The file is too long to attach.',
  cause: `It has ${length.toLocaleString('en')} characters of text; Portside attaches up to ${most.toLocaleString('en')}.`,
  fix: 'Attach a part of it.',
});

export const empty = { message: 'The file is empty.', fix: 'Choose another one.' };

export const locked = {
  message: 'The PDF is locked with a password.',
  fix: 'Save a copy without the password, and attach that.',
};

export const noText = (pages: number) => ({
  message: `The PDF has no text: ${pages === 1 ? 'its page is blank or a picture' : `its ${pages} pages are blank or pictures`}.`,
  fix: 'Attach a picture of what you want to show, or recognise its text first.',
});

export const misnamed = (ending: string) => ({
  message: `The file’s name ends in .${ending}, but it is plain text.`,
  fix: 'It may be damaged. To attach its text, give it a name that ends in .txt.',
});

export const unknownKind = 'Portside can’t read this kind of file.';

/** What it can be turned into. */
export const ways = {
  docx: 'It may be locked with a password: save a copy without it, and attach that.',
  document: 'Save it as DOCX or PDF, and attach that.',
  sheet: 'Save the sheet as CSV, and attach that.',
  pdf: 'Save it as PDF, and attach that.',
  archive: 'Unpack it, and attach what you want to show.',
  any: 'Text and code, PDF, DOCX and pictures can be attached.',
};

export const noCanvas = 'The browser has no canvas.';
