import { signal } from '@preact/signals';

/** The server whose form was saved last: the list says in words how it is doing. */
export const savedServer = signal<number | null>(null);
