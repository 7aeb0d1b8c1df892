/** What Portside calls things of its own that stand among those that others named. */
export const names = {
  tools: { search: 'Search for tools', readMore: 'Read more of a result' },
  /** A provider that is none of the presets. */
  otherProvider: 'Other',
};
