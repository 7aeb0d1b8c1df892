import { cherryStudio } from './formats/cherry-studio.ts';
import { chatgpt } from './formats/chatgpt.ts';
import { claude } from './formats/claude.ts';
import { librechat } from './formats/librechat.ts';
import { openWebUi } from './formats/open-webui.ts';
import { openAiMessages, portside, portsideProject } from './formats/own.ts';
import { pageAssist } from './formats/page-assist.ts';
import type { Importer } from './importer.ts';

/** The formats of chats that are read; where two would do, the first is taken. */
export const importers: readonly Importer[] = [
  portside,
  portsideProject,
  chatgpt,
  claude,
  openWebUi,
  librechat,
  pageAssist,
  cherryStudio,
  openAiMessages,
];
