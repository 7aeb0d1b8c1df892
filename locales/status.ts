const counted = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`;

/** What is spoken, and what the keys do. */
export const status = {
  speech: {
    code: (lines: number): string => `Code, ${counted(lines, 'line')}.`,
    table: (rows: number): string => `Table, ${counted(rows, 'row')}.`,
    formula: 'Formula.',
    image: (alt: string): string => (alt === '' ? 'image' : `image ${alt}`),
    /** With the key that leads to it. */
    approval: (tool: string): string => `${tool} asks for your approval. Alt+A goes to it.`,
    question: (server: string): string => `${server} asks you something. Alt+A goes to it.`,
  },
};
