import { imports } from './import.ts';
import { options } from './options.ts';
import { panel } from './panel.ts';
import { serverPages } from './server.ts';
import { servers } from './servers.ts';
import { toolLog } from './tool-log.ts';
import { units } from './units.ts';

/** Every string a person reads, in English. Functions take what varies. */
export const en = { ...panel, ...options, ...servers, ...serverPages, ...imports, ...toolLog, ...units };
