import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';
import { readDocx } from '../lib/files/docx.ts';

/** The reader (entrypoints/reader) loads this when such a file comes. */
export default defineUnlistedScript(() => void Object.assign(globalThis, { 'portside-docx': readDocx }));
