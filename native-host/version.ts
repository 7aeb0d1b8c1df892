/** Of the native host; Portside's own. `scripts/build-native-host.ts` puts it in. */
export const VERSION = process.env['PORTSIDE_VERSION'] ?? '0';
