import english from '../en/errors.json' with { type: 'json' };

const isWorker = import.meta.env?.['ENTRYPOINT'] === 'background';

/** The longest file. The worker reads it when it starts, like those of other languages: it is too much for its code (300 kB). */
export const errors: object = isWorker ? {} : english;

/** The English files that are not in this bundle. */
export const apart = isWorker ? ['errors'] : [];
