import english from '../en/errors.json' with { type: 'json' };

/** As `shared` (shared.ts). */
export const errors: object = import.meta.env?.ENTRYPOINT === 'background' ? {} : english;
