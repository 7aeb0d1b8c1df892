import type { Tier } from '../lib/types/tier.ts';

/** Today 19:43; of another day 14 Nov; of another year 14 Nov 2025. */
function dayOf(iso: string, now: Date): string {
  const date = new Date(iso);
  if (date.toDateString() === now.toDateString())
    return `Today ${date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })}`;
  const isThisYear = date.getFullYear() === now.getFullYear();
  return date.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
  });
}

/** What the page Permissions says. */
export const permissions = {
  permissions: {
    lead: 'What tools may do without asking you.',
    own: 'Portside’s own tools',
    ownHelp:
      'They read pages that Portside has access to, and only when a model calls one in a chat of yours. What is on is offered in every chat; a chat can have its own choice.',
    defaults: 'Defaults',
    defaultsHelp: 'Used when a tool has no setting of its own.',
    defaultFor: (tier: string): string => `Default for ${tier}`,
    does: {
      reads: 'Looks things up and changes nothing',
      writes: 'Changes something you can undo, such as a file it created',
      sends: 'Puts your data where others can see it',
      destructive: 'Deletes or overwrites for good',
    } satisfies Record<Tier, string>,
    claims:
      'What a tool does is what its server says. So Allow is taken only from servers that you trust; tools of all others ask. A tool that changes something must also say that it destroys nothing, or it asks. Block is for every server.',
    grants: 'Grants',
    noGrants: 'No tool was allowed beforehand. “Allow for this chat” and “Always allow” appear here.',
    columns: { tool: 'Tool', where: 'Where', given: 'Given', used: 'Used', revoke: 'Revoke' },
    always: 'Always',
    inChat: (title: string): string => `This chat: ${title}`,
    isVoid: 'No longer allows anything: the tool has changed.',
    dayOf,
    unknown: 'not known',
    used: (count: number): string =>
      count === 0 ? 'never' : count === 1 ? '1 time' : `${count.toLocaleString('en')} times`,
    revoke: 'Revoke',
    revokeAll: 'Revoke all',
    revokeAllQuestion: (count: number): string =>
      count === 1 ? 'Revoke the grant?' : `Revoke all ${count} grants?`,
    revoked: 'Revoked.',
    sites: 'Sites',
    sitesHelp: 'What the browser lets Portside reach. What uses a site that you revoke asks for it again.',
    noSites: 'No site was allowed.',
    siteColumns: { site: 'Site', usedBy: 'Used by', revoke: 'Revoke' },
    everySite: (scheme: string): string => `Every ${scheme} address`,
    server: (name: string): string => `Server ${name}`,
    provider: (name: string): string => `Models of ${name}`,
    everyPage: 'Every page',
    tabNames: 'Names of open tabs',
    programs: 'Programs on this computer',
    pagesUse: 'Pages you add to a chat',
    tabNamesUse: 'The list of tabs under @',
    programsUse: 'Servers that are programs',
    fixed: 'Part of this build',
  },
};
