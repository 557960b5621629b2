import { zip } from '../../packages/local-cloud/testing/index.ts';

interface WorkbookParts {
  /** XML of `sheetData` by the name of the sheet. */
  sheets: Record<string, string>;
  /** XML of the `si` elements. */
  strings?: string;
  /** XML inside of `styleSheet`. */
  styles?: string;
  date1904?: boolean;
  /** Names of sheets that the program does not show. */
  hidden?: string[];
  /** Further parts, or others in place of these. */
  parts?: Record<string, string>;
}

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** An Excel workbook as Excel writes it, of these parts. */
export function workbookOf({
  sheets,
  strings = '',
  styles = '',
  date1904 = false,
  hidden = [],
  parts = {},
}: WorkbookParts): Buffer {
  const names = Object.keys(sheets);
  return zip({
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': `<?xml version="1.0"?><workbook xmlns:r="${RELATIONS}"><workbookPr date1904="${date1904 ? 1 : 0}"/><sheets>${names
      .map(
        (name, i) =>
          `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"${hidden.includes(name) ? ' state="hidden"' : ''}/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${names
      .map((_, i) => `<Relationship Id="rId${i + 1}" Target="worksheets/sheet${i + 1}.xml"/>`)
      .join('')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst>${strings}</sst>`,
    'xl/styles.xml': `<styleSheet>${styles}</styleSheet>`,
    ...Object.fromEntries(
      Object.values(sheets).map((rows, i) => [
        `xl/worksheets/sheet${i + 1}.xml`,
        `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
    ...parts,
  });
}
