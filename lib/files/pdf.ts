import { getDocumentProxy } from 'unpdf';
import { causeOf, Unreadable } from '../unreadable.ts';
import type { FileContent } from './kind.ts';
import { requireLength } from './text.ts';

type Document = Awaited<ReturnType<typeof getDocumentProxy>>;

/** The text of each page under its number. @throws Unreadable for one that is damaged, locked, or only pictures */
export async function readPdf(file: File): Promise<FileContent> {
  const document = await opened(new Uint8Array(await file.arrayBuffer()));
  try {
    const pages: string[] = [];
    for (let number = 1; number <= document.numPages; number += 1) {
      pages.push(await pageText(document, number));
      await turn();
    }
    if (pages.every((text) => text.trim() === ''))
      throw new Unreadable({ why: 'noText', pages: pages.length });
    const text = pages.map((page, at) => `[Page ${at + 1} of ${pages.length}]\n${page.trim()}`).join('\n\n');
    return { text: requireLength(text), mimeType: 'application/pdf' };
  } finally {
    await document.loadingTask.destroy();
  }
}

async function opened(data: Uint8Array): Promise<Document> {
  try {
    // Nothing is drawn, so no fonts are loaded; `verbosity` 0 keeps what it warns of out of the console.
    return await getDocumentProxy(data, { disableFontFace: true, useSystemFonts: false, verbosity: 0 });
  } catch (error) {
    throw error instanceof Error && error.name === 'PasswordException'
      ? new Unreadable({ why: 'locked' })
      : broken(error);
  }
}

const broken = (error: unknown): Unreadable =>
  new Unreadable({ why: 'broken', kind: 'pdf', cause: causeOf(error) });

async function pageText(document: Document, number: number): Promise<string> {
  try {
    const { items } = await (await document.getPage(number)).getTextContent();
    return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
  } catch (error) {
    throw broken(error);
  }
}

/** Firefox reads on the thread of the page that waits: it draws in between, and can give up. */
const turn = (): Promise<void> => new Promise((go) => setTimeout(go));
