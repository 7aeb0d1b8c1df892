import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';
import { readPdf } from '../lib/files/pdf.ts';

/** The reader (entrypoints/reader) loads this when such a file comes. */
export default defineUnlistedScript(() => void Object.assign(globalThis, { 'portside-pdf': readPdf }));
