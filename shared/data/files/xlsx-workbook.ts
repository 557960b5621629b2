import { unreadable } from './file-format.ts';
import { type DateKind, dateKindOf } from './xlsx-dates.ts';
import { type OfficePackage, openPackage } from './xlsx-package.ts';

export interface Sheet {
  name: string;
  /** The name of its part in the package. */
  part: string;
  isHidden: boolean;
}

export interface Workbook {
  parts: OfficePackage;
  sheets: Sheet[];
  /** Whether days count from 1904, as on old Macintosh computers. */
  from1904: boolean;
  sharedStrings: string[];
  /** By style number: whether cells of the style show dates or times. */
  dateStyles: (DateKind | undefined)[];
}

const MAX_SHARED_BYTES = 256 * 1024 * 1024;

/** Reads the data shared by all sheets. The caller closes `parts`. Throws FILE_UNREADABLE. */
export async function openWorkbook(path: string): Promise<Workbook> {
  const parts = await openPackage(path);
  try {
    const { sheets, from1904 } = await readSheets(parts);
    return {
      parts,
      sheets,
      from1904,
      sharedStrings: await readSharedStrings(parts),
      dateStyles: await readDateStyles(parts),
    };
  } catch (error) {
    parts.close();
    throw error;
  }
}

/** The sheets of a workbook that have cells, in their order. Throws FILE_UNREADABLE. */
export async function listSheets(path: string): Promise<Sheet[]> {
  const parts = await openPackage(path);
  try {
    return (await readSheets(parts)).sheets;
  } finally {
    parts.close();
  }
}

/**
 * The sheet with this name, ignoring case. Without a name, the first sheet that is not hidden, or the first one if all
 * are. Throws FILE_UNREADABLE with the existing names.
 */
export function sheetOf({ sheets }: Workbook, name: string | undefined): Sheet {
  if (name === undefined) return sheets.find(({ isHidden }) => !isHidden) ?? sheets[0]!;
  const found = sheets.find((sheet) => sheet.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  const names = sheets.slice(0, 20).map((sheet) => `"${sheet.name}"`);
  throw unreadable(`The workbook has no sheet "${name}"; it has ${names.join(', ')}.`);
}

async function relationships(parts: OfficePackage): Promise<Map<string, string>> {
  const targets = new Map<string, string>();
  await parts.parse('xl/_rels/workbook.xml.rels', {
    open({ name, attributes }) {
      if (localName(name) !== 'Relationship' || attributes.TargetMode === 'External') return;
      const { Id = '', Target = '' } = attributes;
      targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`);
    },
  });
  return targets;
}

async function readSheets(parts: OfficePackage): Promise<{ sheets: Sheet[]; from1904: boolean }> {
  if (!parts.has('xl/workbook.xml')) throw unreadable('The file is a ZIP archive but not an Excel workbook.');
  const targets = await relationships(parts);
  const sheets: Sheet[] = [];
  let from1904 = false;
  await parts.parse('xl/workbook.xml', {
    open({ name, attributes }) {
      if (localName(name) === 'workbookPr') from1904 = /^(1|true)$/.test(attributes.date1904 ?? '');
      if (localName(name) !== 'sheet') return;
      const part = targets.get(attributes['r:id'] ?? '');
      // Charts are sheets without cells.
      if (!part?.includes('worksheets/') || !parts.has(part)) return;
      const isHidden = /^(hidden|veryHidden)$/.test(attributes.state ?? '');
      sheets.push({ name: attributes.name ?? '', part, isHidden });
    },
  });
  if (sheets.length === 0) throw unreadable('The workbook has no sheets with cells.');
  return { sheets, from1904 };
}

async function readSharedStrings(parts: OfficePackage): Promise<string[]> {
  const strings: string[] = [];
  if (!parts.has('xl/sharedStrings.xml')) return strings;
  const reader = textReader();
  let bytes = 0;
  await parts.parse('xl/sharedStrings.xml', {
    open({ name }) {
      if (localName(name) === 'si') reader.start();
      reader.open(localName(name));
    },
    text: (text) => reader.text(text),
    close({ name }) {
      reader.close(localName(name));
      if (localName(name) !== 'si') return;
      const text = reader.take();
      bytes += text.length * 2;
      if (bytes > MAX_SHARED_BYTES) {
        throw unreadable(`The texts of the workbook exceed ${MAX_SHARED_BYTES} bytes; save it as CSV.`);
      }
      strings.push(text);
    },
  });
  return strings;
}

/** Collects the text of a string: joins its formatted runs and omits phonetic hints. */
export function textReader() {
  let found = '';
  let inText = false;
  let hints = 0;
  return {
    start() {
      found = '';
    },
    open(name: string) {
      if (name === 'rPh') hints += 1;
      inText = name === 't' && hints === 0;
    },
    text(text: string) {
      if (inText) found += text;
    },
    close(name: string) {
      if (name === 'rPh') hints -= 1;
      if (name === 't') inText = false;
    },
    take: () => found,
  };
}

async function readDateStyles(parts: OfficePackage): Promise<(DateKind | undefined)[]> {
  if (!parts.has('xl/styles.xml')) return [];
  const formats = new Map<number, string>();
  const styles: (DateKind | undefined)[] = [];
  let inCellStyles = false;
  await parts.parse('xl/styles.xml', {
    open({ name, attributes }) {
      const local = localName(name);
      if (local === 'numFmt') formats.set(Number(attributes.numFmtId), attributes.formatCode ?? '');
      if (local === 'cellXfs') inCellStyles = true;
      if (local !== 'xf' || !inCellStyles) return;
      const id = Number(attributes.numFmtId ?? 0);
      styles.push(dateKindOf(id, formats.get(id)));
    },
    close({ name }) {
      if (localName(name) === 'cellXfs') inCellStyles = false;
    },
  });
  return styles;
}

/** Some programs write every element with a prefix. */
export const localName = (name: string) => name.slice(name.indexOf(':') + 1);
