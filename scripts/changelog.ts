/** @throws Error when a version may not be released yet, with what is to be done */
export function requireReleasable(changelog: string, version: string, tag: string): void {
  if (tag !== `v${version}`)
    throw new Error(`The tag ${tag} is not v${version}, the version of package.json. Set both to the same.`);
  const dated = (line: string) => line.startsWith(`## ${version} - `) && /\d{4}-\d\d-\d\d$/.test(line);
  if (!changelog.split('\n').some(dated))
    throw new Error(`CHANGELOG.md has no “## ${version} - YYYY-MM-DD”. Name the entry of this version so.`);
}
