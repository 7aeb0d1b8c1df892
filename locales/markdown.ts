/** Words of drawn answers. */
export const markdown = {
  markdown: {
    copyCode: 'Copy code',
    copied: 'Copied.',
    copyFailed: 'The browser did not let Portside copy.',
    plainText: 'Text',
    table: 'Table, scrolls sideways',
    formula: 'Formula, scrolls sideways',
    done: 'Done',
    notDone: 'Not done',
    footnotes: 'Footnotes',
    footnote: (number: number) => `Footnote ${number}`,
    image: 'Image',
    showImage: (alt: string, host: string) =>
      alt === '' ? `Show image from ${host}` : `Show image from ${host}: ${alt}`,
    insecureImage: (alt: string, host: string) =>
      `${alt === '' ? 'Image' : alt} (from ${host}, not shown: its address is not https)`,
    imageFailed: (alt: string, host: string) =>
      `The image from ${host} did not load${alt ? `: ${alt}` : ''}.`,
  },
};
