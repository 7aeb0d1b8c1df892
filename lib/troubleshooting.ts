/** Errors of which docs/troubleshooting.md says more than they do: their codes stand there under their sentences. */
export const isExplained = (code: string): boolean => EXPLAINED.test(code);
const EXPLAINED =
  /^(?:(?:browser_model|gguf|model|native_host|server|sign_in|sync)_\w+|no_(?:app|app_tool|page_access|price|provider|schedule|skill)|app_too_busy|export_changed|registry_(?:bad_answer|unreachable)|schedule_busy|skill_(?:no_file|unverified)|origin_not_granted|(?:launch|definition)_changed|page_(?:busy|closed|private|unreadable)|nothing_read|file_(?:too_large|unreadable)|run_stalled|used_up|not_repeatable|tool_blocked|too_many_requests|secrets_(?:locked|lost)|wrong_passphrase|database_(?:newer|unusable)|worker_unreachable|unexpected)$/;

/** A section of a page of docs, as Markdown, and the codes of the errors that it is about. */
export type Section = { text: string; codes: string[] };

/** The sections of docs/troubleshooting.md, without its title. */
export const sectionsOf = (page: string): Section[] =>
  page.split(/^(?=#{2,3} )/m).map((section) => ({
    // A chat keeps the ends of lines, a page does not.
    text: section
      .replace(/^# .*/, '')
      .replace(CODES, '')
      // Into the checkout, which a user may not have.
      .replaceAll(/\[([^\][]*)\]\([^()\s]*\)/g, '$1')
      .replaceAll(/(\S)\n(?=\S)/g, '$1 '),
    codes: CODES.exec(section)?.[1]?.split(' ') ?? [],
  }));
const CODES = /^<!-- ([a-z_ ]+) -->$/m;
