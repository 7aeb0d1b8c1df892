import { chatgpt } from './formats/chatgpt.ts';
import { claude } from './formats/claude.ts';
import { openAiMessages, portside } from './formats/own.ts';
import type { Importer } from './importer.ts';

/** The formats of chats that are read, what is more particular first. */
export const importers: readonly Importer[] = [portside, chatgpt, claude, openAiMessages];
