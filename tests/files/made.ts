import { crc32, deflateRawSync, deflateSync } from 'node:zlib';

const latin = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(text, (char) => char.charCodeAt(0));

const stream = (content: string, more = ''): string =>
  `<</Length ${content.length}${more}>>\nstream\n${content}\nendstream`;

/**
 * A PDF with these lines on each page (ISO 32000-1, 7.5); a page without any is blank.
 * @param trailer what else stands in its trailer, such as its encryption
 */
export function pdf(pages: string[][], trailer = ''): Uint8Array<ArrayBuffer> {
  const kids = pages.map((_lines, at) => `${4 + 2 * at} 0 R`);
  const drawn = pages.flatMap((lines, at) => {
    const shown = lines.map((line) => `(${line}) Tj 0 -20 Td`).join(' ');
    const page = `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents ${5 + 2 * at} 0 R/Resources<</Font<</F 3 0 R>>>>>>`;
    return [page, stream(`BT /F 12 Tf 20 180 Td ${shown} ET`)];
  });
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids.join(' ')}]/Count ${pages.length}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...drawn,
  ];
  return written(objects, trailer);
}

/** One whose page draws nothing for minutes: the same megabyte of it, five thousand times. */
export function slowPdf(): Uint8Array<ArrayBuffer> {
  const nothing = deflateSync(Buffer.from('q Q\n'.repeat(250_000))).toString('latin1');
  return written([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents[${'4 0 R '.repeat(5000)}]/Resources<<>>>>`,
    stream(nothing, '/Filter/FlateDecode'),
  ]);
}

function written(objects: string[], trailer = ''): Uint8Array<ArrayBuffer> {
  let text = '%PDF-1.4\n';
  const places = objects.map((object, at) => {
    const place = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  const size = objects.length + 1;
  return latin(
    `${text}${table}trailer\n<</Size ${size}/Root 1 0 R${trailer}>>\nstartxref\n${text.length}\n%%EOF`,
  );
}

/** One that opens with a password only, and with none: these are no hashes of any. */
export const lockedPdf = (): Uint8Array<ArrayBuffer> => {
  const zeros = '0'.repeat(64);
  return pdf([['Secret']], `/Encrypt<</Filter/Standard/V 1/R 2/O<${zeros}>/U<${zeros}>/P -44>>/ID[<00><00>]`);
};

const part = (name: string): string =>
  `application/vnd.openxmlformats-officedocument.wordprocessingml.${name}+xml`;

/** How an archive is packed, and how large it says that each part is: as it is, without `claims`. */
type Packing = { packed?: boolean; claims?: number };

/** A DOCX whose body is this WordprocessingML (ECMA-376, part 1, 17). */
export function docx(body: string, packing: Packing = {}): Uint8Array<ArrayBuffer> {
  const types = 'http://schemas.openxmlformats.org/package/2006/content-types';
  const relationships = 'http://schemas.openxmlformats.org/package/2006/relationships';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/';
  const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const style = (id: string, name: string): string =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`;
  const level = (kind: string): string =>
    [0, 1, -1, 100_000_000]
      .map((depth) => `<w:lvl w:ilvl="${depth}"><w:numFmt w:val="${kind}"/></w:lvl>`)
      .join('');
  const files: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="${types}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${part('document.main')}"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${relationships}"><Relationship Id="a" Type="${office}officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/_rels/document.xml.rels': `<Relationships xmlns="${relationships}"><Relationship Id="s" Type="${office}styles" Target="styles.xml"/><Relationship Id="n" Type="${office}numbering" Target="numbering.xml"/></Relationships>`,
    'word/styles.xml': `<w:styles ${word}>${style('Heading2', 'heading 2')}</w:styles>`,
    'word/numbering.xml': `<w:numbering ${word}><w:abstractNum w:abstractNumId="0">${level('bullet')}</w:abstractNum><w:abstractNum w:abstractNumId="1">${level('decimal')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num></w:numbering>`,
    'word/document.xml': `<w:document ${word}><w:body>${body}</w:body></w:document>`,
  };
  return zip(Object.entries(files), packing);
}

/** Files one after the other, and what lists them (PKWARE APPNOTE, 4.3). */
export function zip(
  files: [name: string, content: string | Uint8Array][],
  { packed = false, claims }: Packing = {},
): Uint8Array<ArrayBuffer> {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  for (const [name, content] of files) {
    const whole = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content);
    const bytes = packed ? deflateRawSync(whole) : whole;
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(packed ? 8 : 0, 4);
    head.writeUInt32LE(crc32(whole), 10);
    head.writeUInt32LE(bytes.length, 14);
    head.writeUInt32LE(claims ?? whole.length, 18);
    head.writeUInt16LE(name.length, 22);
    const listed = Buffer.alloc(14);
    listed.writeUInt32LE(Buffer.concat(local).length, 10);
    local.push(Buffer.from('PK\u0003\u0004'), head, Buffer.from(name), bytes);
    central.push(Buffer.from('PK\u0001\u0002\u0014\u0000'), head, listed, Buffer.from(name));
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(Buffer.concat(central).length, 8);
  end.writeUInt32LE(Buffer.concat(local).length, 12);
  return new Uint8Array(Buffer.concat([...local, ...central, Buffer.from('PK\u0005\u0006'), end]));
}

/**
 * An archive, and in it another one with a ZIP64's directory (PKWARE APPNOTE, 4.3.14): to a reader that goes by that, it holds
 * the other's files.
 */
export function withZip64Directory(archive: Uint8Array, hidden: Uint8Array): Uint8Array<ArrayBuffer> {
  const [shown, other] = [Buffer.from(archive), Buffer.from(hidden)];
  const directoryAt = shown.readUInt32LE(shown.length - 6);
  const otherDirectoryAt = other.readUInt32LE(other.length - 6);
  const second = Buffer.alloc(56);
  const locator = Buffer.alloc(20);
  const at = other.length - 22;
  const end = shown.subarray(-22);
  const directory = shown.subarray(directoryAt, -22);
  const files = shown.subarray(0, directoryAt);
  const before = at + second.length + locator.length;
  // The places of the parts that are shown are further down by all that is hidden.
  for (let entry = 0; entry < directory.length;) {
    directory.writeUInt32LE(directory.readUInt32LE(entry + 42) + before, entry + 42);
    entry += 46 + directory.readUInt16LE(entry + 28);
  }
  end.writeUInt16LE(0xffff, 8);
  end.writeUInt16LE(0xffff, 10);
  end.writeUInt32LE(before + files.length, 16);
  const endAt = before + files.length + directory.length;
  second.write('PK\u0006\u0006', 'latin1');
  second.writeUInt32LE(44, 4);
  // By its size readers find these two records right behind it.
  second.writeUInt32LE(endAt - otherDirectoryAt - second.length - locator.length, 40);
  second.writeUInt32LE(otherDirectoryAt, 48);
  locator.write('PK\u0006\u0007', 'latin1');
  locator.writeUInt32LE(at, 8);
  locator.writeUInt32LE(1, 16);
  return new Uint8Array(Buffer.concat([other.subarray(0, at), second, locator, files, directory, end]));
}

/** A paragraph of a DOCX. @param properties such as its style */
export const paragraph = (text: string, properties = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

export const item = (text: string, list: 1 | 2, depth = 0): string =>
  paragraph(text, `<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="${list}"/></w:numPr>`);
