/**
 * The entry of a version in CHANGELOG.md, without its heading; what is yet to be released while the version has none.
 * @returns empty when it has neither
 */
export function entryOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const named = (name: string) => sections.find((each) => each.split(/\s/, 1)[0] === name);
  const section = named(version) ?? named('Unreleased') ?? '\n';
  return section.slice(section.indexOf('\n')).trim();
}

/** The lines of an entry as plain text, each whole; what links into the checkout leads nowhere outside of it. */
export const newsOf = (entry: string): string[] =>
  entry
    .split(/^- /m)
    .slice(1)
    .map((line) =>
      line
        .replaceAll(/\(\[[^\][]*\]\([^()\s]*\)\)/g, '')
        .replaceAll(/\[([^\][]*)\]\([^()\s]*\)/g, '$1')
        .replaceAll(/`|\*\*/g, '')
        .replaceAll(/\s+/g, ' ')
        .replaceAll(/ (?=[.,;:])/g, '')
        .trim(),
    );
