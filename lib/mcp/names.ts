import { SKILL_PREFIX } from '../types/tools/skill.ts';

const MAX_LENGTH = 64;

/**
 * The name under which a server's tool is offered to the model: `mcp__{serverId}__{toolName}`, made to fit
 * `^[a-zA-Z0-9_-]{1,64}$`. A name that had to change ends in a hash of the original, so that two names never
 * become one. Stable across restarts; route calls back through a map, never by splitting.
 */
export function offeredName(serverId: number, toolName: string): string {
  const plain = `mcp__${serverId}__${toolName}`;
  return isFit(plain) ? plain : hashedName(plain, toolName);
}

/** The same for what a page offers: `page__{tabId}__{toolName}`, hashed always where another `site` than the tab's offers it. */
export function pageToolName(tab: number, toolName: string, site?: string): string {
  const plain = `page__${tab}__${toolName}`;
  return isFit(plain) && site === undefined ? plain : hashedName(plain, `${site ?? ''} ${toolName}`);
}

/** The same for what a server's app offers: `app__{serverId}__{toolName}__{name}`, hashed always for another `app` of the same tool. */
export function appToolName(serverId: number, toolName: string, name: string, app?: string): string {
  const plain = `app__${serverId}__${toolName}__${name}`;
  return isFit(plain) && app === undefined ? plain : hashedName(plain, JSON.stringify([app, toolName, name]));
}

/**
 * Under which a model knows a skill. A skill's name is no identifier: of several that share one on a server (`isAlone` is false)
 * each has a hash of its address.
 */
export function skillName(serverId: number | 'own', name: string, uri: string, isAlone: boolean): string {
  const plain = `${SKILL_PREFIX}${serverId}__${name}`;
  return isAlone && isFit(plain) ? plain : hashedName(plain, uri);
}

const isFit = (name: string): boolean => /^[a-zA-Z0-9_-]+$/.test(name) && name.length <= MAX_LENGTH;

function hashedName(plain: string, original: string): string {
  const suffix = `_${hash(original)}`;
  return plain.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, MAX_LENGTH - suffix.length) + suffix;
}

/** Two 32-bit FNV-1a lanes, base 36. Not secret: a server could only make its own tools collide. */
function hash(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x01000193;
  for (let index = 0; index < text.length; index++) {
    low = Math.imul(low ^ text.charCodeAt(index), 0x01000193);
    high = Math.imul(high ^ text.charCodeAt(index), 0x85ebca6b);
  }
  return (low >>> 0).toString(36).padStart(7, '0') + (high >>> 0).toString(36).padStart(7, '0').slice(-3);
}
