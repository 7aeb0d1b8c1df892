import type { ToolApp } from '../../types/tools/server-tool.ts';
import { isRecord } from '../../json.ts';
import { isText } from '../content/raw.ts';

const MOST_URI = 2000;

/** What a tool's `_meta` says of MCP Apps; undefined where it says nothing. Source: SEP-1865, "Resource Discovery". */
export function readToolApp(meta: unknown): ToolApp | undefined {
  if (!isRecord(meta)) return undefined;
  const ui = isRecord(meta['ui']) ? meta['ui'] : {};
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
