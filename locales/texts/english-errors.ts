import english from '../en/errors.json' with { type: 'json' };

/** The longest file. The worker reads it when it starts (lib/speak-language.ts), like those of other languages. */
export const errors: object = import.meta.env?.ENTRYPOINT === 'background' ? {} : english;
