import type { Definition, Tool, ToolApp } from '../../types/tools/server-tool.ts';
import type { ToolAnnotations } from '../../types/tools/tool.ts';
import { headerProblem } from './param-headers.ts';
import { isRecord, recordOf } from '../../json.ts';
import { cut, isText, type Raw } from '../content/raw.ts';
import { readIcons } from './read-offer.ts';
import type { ListOptions } from './pages.ts';
import { schemaProblem } from './tool-schema.ts';
import { t } from '../../../locales/texts/errors.ts';

/** A tool as its server lists it, or a skill in the shape of one (skills.ts). */
export type RemoteTool = Definition &
  Pick<Tool, 'icons' | 'app'> & {
    /** It can be called as a task, or only so (MCP 2025-11-25, basic/utilities/tasks). */
    hasTasks?: true;
    /** Why it can't be called, as a sentence: its schema is broken. */
    problem?: string;
    /** The server does not list it: its address was given. */
    isUnlisted?: true;
  };

type ReadOptions = Pick<ListOptions, 'onProblem'> & {
  /** The server wants arguments repeated as headers where a schema says so (2026-07-28 and later). */
  mirrorsArguments: boolean;
};

const MOST_NAME = 256;
const MOST_DESCRIPTION = 50_000;

/**
 * The entries of `tools/list`. One that can't be called keeps its place, under a name of its own, with the reason as its
 * `problem`; one that is no tool at all is left out.
 */
export function readTools(entries: unknown[], { mirrorsArguments, onProblem }: ReadOptions): RemoteTool[] {
  const names = new Set<string>();
  return entries.flatMap((entry, index): RemoteTool[] => {
    if (!isRecord(entry)) {
      onProblem?.(t(($) => $.errors.offer.noTool, { place: index + 1 }));
      return [];
    }
    const { name, problem } = nameOf(entry['name'], index, names);
    names.add(name);
    const flaw = schemaProblem(entry['inputSchema']);
    const tool = readTool(entry, name, flaw === undefined);
    const why = problem ?? flaw ?? (mirrorsArguments ? mirrorProblem(tool) : undefined);
    if (why === undefined) return [tool];
    onProblem?.(`${tool.name}: ${why}`);
    return [{ ...tool, problem: why }];
  });
}

function nameOf(name: unknown, index: number, taken: Set<string>): { name: string; problem?: string } {
  const given = isText(name) ? name : '';
  const isUsable = given !== '' && given.length <= MOST_NAME && !/\p{Cc}/u.test(given);
  if (isUsable && !taken.has(given)) return { name: given };
  const shown = cut(given.replaceAll(/\p{Cc}+/gu, ' ').trim(), 60);
  return {
    // Rows are kept by name: no two may have the same.
    name: t(($) => $.errors.offer.unnamed, {
      shown: shown || t(($) => $.errors.offer.noName),
      place: index + 1,
    }),
    problem: isUsable ? t(($) => $.errors.offer.toolTwice, { shown }) : t(($) => $.errors.offer.badName),
  };
}

function hasTasks({ execution }: Raw): boolean {
  const support = isRecord(execution) && execution['taskSupport'];
  return support === 'required' || support === 'optional';
}

function mirrorProblem({ inputSchema }: RemoteTool): string | undefined {
  const problem = headerProblem(inputSchema);
  return problem && t(($) => $.errors.offer.badHeaders, { problem });
}

function readTool(entry: Raw, name: string, isWhole: boolean): RemoteTool {
  const annotations = readHints(entry['annotations']);
  const title = cut(entry['title'], 200) || annotations.title;
  const icons = readIcons(entry['icons']);
  const app = readToolApp(entry['_meta']);
  const { inputSchema } = entry;
  return {
    name,
    ...(title && { title }),
    description: cut(entry['description'], MOST_DESCRIPTION),
    // One that is broken may be too much for the database, and is never shown.
    inputSchema: isWhole && isRecord(inputSchema) ? inputSchema : { type: 'object' },
    annotations,
    ...(icons && { icons }),
    ...(hasTasks(entry) && { hasTasks: true as const }),
    ...(app && { app }),
  };
}

function readHints(value: unknown): ToolAnnotations {
  if (!isRecord(value)) return {};
  const title = cut(value['title'], 200);
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = value;
  return {
    ...(title && { title }),
    ...(typeof readOnlyHint === 'boolean' && { readOnlyHint }),
    ...(typeof destructiveHint === 'boolean' && { destructiveHint }),
    ...(typeof idempotentHint === 'boolean' && { idempotentHint }),
    ...(typeof openWorldHint === 'boolean' && { openWorldHint }),
  };
}

const MOST_URI = 2000;

/** What a tool's `_meta` says of MCP Apps; undefined where it says nothing. Source: SEP-1865, "Resource Discovery". */
export function readToolApp(meta: unknown): ToolApp | undefined {
  if (!isRecord(meta)) return undefined;
  const ui = recordOf(meta['ui']);
  // The flat key is of drafts of the specification, and still in use.
  const uri = ui['resourceUri'] ?? meta['ui/resourceUri'];
  const isShown = isText(uri) && uri.startsWith('ui://') && uri.length <= MOST_URI;
  const only = onlyFor(ui['visibility']);
  if (!isShown && !only) return undefined;
  return { ...(isShown && { uri }), ...(only && { only }) };
}

function onlyFor(visibility: unknown): ToolApp['only'] {
  if (!Array.isArray(visibility)) return undefined;
  const [model, app] = [visibility.includes('model'), visibility.includes('app')];
  if (model === app) return undefined;
  return model ? 'model' : 'app';
}
