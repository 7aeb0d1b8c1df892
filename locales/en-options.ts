import { data } from './data.ts';
import { en as shared } from './en-late.ts';
import { general } from './general.ts';
import { imports } from './import.ts';
import { nativeHostPages } from './native-host-page.ts';
import { options } from './options.ts';
import { permissions } from './permissions.ts';
import { prompts } from './prompts.ts';
import { serverPages } from './server.ts';
import { servers } from './servers.ts';
import { toolLog } from './tool-log.ts';

/** Every string a person reads in the options pages, in English. */
export const en = {
  ...shared,
  ...options,
  ...permissions,
  ...prompts,
  ...general,
  ...data,
  ...servers,
  ...serverPages,
  ...imports,
  ...nativeHostPages,
  ...toolLog,
};
