/**
 * The entry of a version in CHANGELOG.md, without its heading; what is yet to be released while the version has none.
 * @returns undefined when it has neither
 */
export function entryOf(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^## /m).slice(1);
  const named = (name: string) => sections.find((each) => each.split(/\s/, 1)[0] === name);
  const section = named(version) ?? named('Unreleased');
  return section?.slice(section.indexOf('\n')).trim();
}

/** @throws Error when a version may not be released yet, with what is to be done */
export function requireReleasable(changelog: string, version: string, tag: string): void {
  if (tag !== `v${version}`)
    throw new Error(`The tag ${tag} is not v${version}, the version of package.json. Set both to the same.`);
  const dated = (line: string) => line.startsWith(`## ${version} - `) && /\d{4}-\d\d-\d\d$/.test(line);
  if (!changelog.split('\n').some(dated))
    throw new Error(`CHANGELOG.md has no “## ${version} - YYYY-MM-DD”. Name the entry of this version so.`);
}

/** An entry as Settings show it: what links into the checkout leads nowhere there. */
export const asNews = (entry: string): string =>
  entry
    .replaceAll(/ ?\(\[[^\][]*\]\((?!https:)[^()\s]*\)\)/g, '')
    .replaceAll(/\[([^\][]*)\]\((?!https:)[^()\s]*\)/g, '$1');
