import type { OfferedTool } from '../types/tools/tool.ts';

const MOST = 3;
/** From 0, nothing in common, to 1, the same. */
const ALIKE = 0.4;

/** The offered names most like one that does not exist, best first: by the pairs of letters that they share. */
export function nearNames(name: string, tools: OfferedTool[]): string[] {
  const wanted = pairs(name);
  return tools
    .map((tool) => ({ name: tool.name, score: likeness(wanted, pairs(tool.name)) }))
    .filter(({ score }) => score >= ALIKE)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MOST)
    .map((near) => near.name);
}

/** Sørensen–Dice */
function likeness(one: Set<string>, other: Set<string>): number {
  return (2 * [...one].filter((pair) => other.has(pair)).length) / Math.max(one.size + other.size, 1);
}

/** Of what stands behind the server's mark: `mcp__3__get-Sum` -> ge, et, ts, su, um */
function pairs(name: string): Set<string> {
  const letters = name
    .slice(0, 200)
    .replace(/^(?:mcp|skill)__\d+__/, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  return new Set(Array.from(letters, (letter, at) => letter + letters.charAt(at + 1)));
}
