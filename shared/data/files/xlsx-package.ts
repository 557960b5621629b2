import type { Readable } from 'node:stream';
import type { SaxesParser, SaxesTagPlain } from 'saxes';
import type { Entry, ZipFile } from 'yauzl';
import { DataError } from '../../platform/errors/data-error.ts';
import { unreadable } from './file-format.ts';

/** Limits on the unpacked size, against ZIP bombs. They are checked by the directory and again while unpacking. */
const MAX_ENTRIES = 10_000;
const MAX_BYTES = 2 * 1024 ** 3;
const MAX_RATIO = 400;
/** The ratio of smaller parts is not limited. */
const RATIO_FROM_BYTES = 16 * 1024 * 1024;

export interface XmlHandlers {
  open?(tag: SaxesTagPlain): void;
  text?(text: string): void;
  close?(tag: SaxesTagPlain): void;
}

/** The parts of a workbook, which is a ZIP archive of XML files. */
export interface OfficePackage {
  has(name: string): boolean;
  /**
   * Streams a part through the handlers until its end, or until `done` returns true. Throws FILE_UNREADABLE for a part
   * that is absent, not well-formed, or declares a document type: entities could read files or exhaust memory.
   */
  parse(name: string, handlers: XmlHandlers, done?: () => boolean): Promise<void>;
  close(): void;
}

export async function openPackage(path: string): Promise<OfficePackage> {
  const libraries = await import('./workbook-parser.ts');
  const zip = await reading(libraries.openPromise(path, { lazyEntries: true, autoClose: false, decodeStrings: true }));
  let entries: Map<string, Entry>;
  try {
    entries = await directory(zip);
  } catch (error) {
    zip.close();
    throw error;
  }
  return {
    has: (name) => entries.has(name),
    close: () => zip.close(),
    async parse(name, handlers, done = () => false) {
      const entry = entries.get(name);
      if (!entry) throw unreadable(`The workbook has no part ${name}.`);
      const content = await reading(zip.openReadStreamPromise(entry));
      try {
        await parseXml(content, xmlParser(new libraries.SaxesParser(), name, handlers), done);
      } catch (cause) {
        if (cause instanceof DataError) throw cause;
        throw unreadable(`The part ${name} of the workbook is damaged.`, cause);
      } finally {
        content.destroy();
      }
    },
  };
}

interface XmlParser {
  /** Throws the first error of the text so far. */
  write(text: string): void;
  close(): void;
}

function xmlParser(parser: SaxesParser, name: string, handlers: XmlHandlers): XmlParser {
  let failure: Error | undefined;
  parser.on('error', (error) => {
    failure ??= unreadable(`The part ${name} of the workbook is not well-formed XML.`, error);
  });
  parser.on('doctype', () => {
    failure ??= unreadable('The workbook declares a document type, which is not accepted.');
  });
  if (handlers.open) parser.on('opentag', handlers.open);
  if (handlers.text) parser.on('text', handlers.text);
  if (handlers.close) parser.on('closetag', handlers.close);
  return {
    write(text) {
      parser.write(text);
      if (failure) throw failure;
    },
    close() {
      parser.close();
      if (failure) throw failure;
    },
  };
}

async function parseXml(content: Readable, parser: XmlParser, done: () => boolean): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of content) {
    parser.write(decoder.decode(chunk as Buffer, { stream: true }));
    if (done()) return;
  }
  parser.close();
}

function directory(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  let bytes = 0;
  return new Promise((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      bytes += entry.uncompressedSize;
      const issue = issueOf(entry, entries.size, bytes);
      if (issue) return reject(unreadable(issue));
      entries.set(entry.fileName, entry);
      zip.readEntry();
    });
    zip.on('end', () => resolve(entries));
    zip.on('error', (error: Error) => reject(damaged(error)));
    if (zip.entryCount > MAX_ENTRIES) reject(unreadable(`The workbook has more than ${MAX_ENTRIES} parts.`));
    else zip.readEntry();
  });
}

function issueOf(entry: Entry, count: number, bytes: number): string | undefined {
  const { fileName, uncompressedSize, compressedSize } = entry;
  if (count >= MAX_ENTRIES) return `The workbook has more than ${MAX_ENTRIES} parts.`;
  if (entry.isEncrypted()) return 'The workbook is encrypted.';
  if (bytes > MAX_BYTES) return `The workbook unpacks to more than ${MAX_BYTES} bytes.`;
  if (uncompressedSize > RATIO_FROM_BYTES && uncompressedSize > compressedSize * MAX_RATIO) {
    return `The part ${fileName} unpacks to more than ${MAX_RATIO} times its size, as a ZIP bomb does.`;
  }
  return undefined;
}

const damaged = (cause: unknown) => unreadable('The workbook is damaged or not a ZIP archive.', cause);

async function reading<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw cause instanceof DataError ? cause : damaged(cause);
  }
}
