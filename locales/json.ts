const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** A tree of JSON. */
export const json = {
  json: {
    items: (count: number): string => counted(count, 'item'),
    entries: (count: number): string => counted(count, 'entry', 'entries'),
    slice: (from: number, to: number): string =>
      from === to ? `${from}` : `${from.toLocaleString('en')} – ${to.toLocaleString('en')}`,
    less: 'Show less',
  },
};
