import type { Static } from 'typebox';
import * as Type from 'typebox';
import type { Issue } from '../../platform/errors/app-error.ts';
import { StrictObject, StringEnum } from '../../platform/http/schemas.ts';
import { escapePointer } from '../../platform/validation/json-pointer.ts';
import { decimalDigits } from '../duckdb/column-types.ts';
import { RAGGED_ROWS } from './csv-dialect.ts';
import { readDateFormat } from './date-format.ts';
import { DECLARED_TYPE } from './declared-types.ts';
import type { FileFormat } from './formats.ts';

const NullTexts = (options: Record<string, unknown>) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 20, ...options }));

export const FileOptions = StrictObject(
  {
    delimiter: Type.Optional(Type.String({ minLength: 1, maxLength: 1 })),
    quote: Type.Optional(Type.String({ maxLength: 1 })),
    header: Type.Optional(
      Type.Boolean({ description: 'Whether the first row has the names of the columns. Detected for CSV if omitted.' }),
    ),
    headerRow: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_048_576,
        description:
          'The row that has the names, counted from 1: the line of a CSV file, or the row of a sheet. Rows above it are not read.',
      }),
    ),
    skipRows: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 10_000,
        description:
          'The number of lines above the table of a CSV file, such as titles. Do not combine with `headerRow`.',
      }),
    ),
    types: Type.Optional(
      Type.Record(
        Type.String({ minLength: 1, maxLength: 255 }),
        Type.String({ maxLength: 32, pattern: DECLARED_TYPE }),
        {
          maxProperties: 1000,
          description:
            'Types of columns of a CSV file by name, such as `{"zip": "string", "price": "decimal(10,2)"}`. Other columns get the type that all their values fit. A value of another type rejects the file.',
        },
      ),
    ),
    decimalSeparator: Type.Optional(
      StringEnum(['.', ','], {
        description:
          'The separator before the fraction of a number in a CSV file, as in `1,5`. The other of the two then separates thousands, as in `1.200,50`. Omit it for `.` without thousands.',
      }),
    ),
    dateFormat: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'How dates of a CSV file are written if not in ISO 8601, such as `%d.%m.%Y` or `%m/%d/%Y %I:%M %p`. A format with hours applies to timestamps.',
      }),
    ),
    nullValues: NullTexts({
      description: 'Texts of a CSV file that mean null unless they are quoted, such as `NA`. An empty one always does.',
    }),
    nullStrings: NullTexts({ description: 'The former name of `nullValues`.', deprecated: true }),
    raggedRows: Type.Optional(
      StringEnum(RAGGED_ROWS, {
        description:
          'What to do with rows of a CSV file that have more or fewer values than columns: `refuse` the file (as when omitted), `pad` missing values with null, or `skip` and count the rows.',
      }),
    ),
    encoding: Type.Optional(StringEnum(['utf-8', 'utf-16le', 'utf-16be', 'latin-1'])),
    sheet: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 31,
        description: 'The sheet of an Excel workbook. Omit it for the first that is not hidden.',
      }),
    ),
  },
  { $id: 'FileOptions', description: 'How a text file is written. What is omitted is detected.' },
);
export type FileOptions = Static<typeof FileOptions>;

const CSV_ONLY = ['skipRows', 'types', 'decimalSeparator', 'dateFormat', 'nullValues'] as const;

/**
 * The issues of options that the schema cannot express: options that contradict each other, or that the format does not
 * have. The format is undefined if only the file will show it.
 */
export function fileOptionIssues(options: FileOptions, format: FileFormat | undefined, at: string): Issue[] {
  const issues =
    format === undefined || format === 'csv' ? csvIssues(options, format) : foreignOptions(options, format);
  return issues.map(([member, code, message]) => ({ pointer: `${at}/${member}`, code, message }));
}

type OptionIssue = [member: string, code: string, message: string];

function foreignOptions(options: FileOptions, format: FileFormat): OptionIssue[] {
  const foreign = format === 'xlsx' ? CSV_ONLY : [...CSV_ONLY, 'headerRow' as const];
  const known = format === 'xlsx' ? 'CSV files' : 'CSV files and Excel workbooks';
  return foreign
    .filter((member) => options[member] !== undefined)
    .map((member) => [
      member,
      'NOT_ALLOWED',
      `is only for ${member === 'headerRow' ? known : 'CSV files'}, but the format is ${format}`,
    ]);
}

function csvIssues(options: FileOptions, format: 'csv' | undefined): OptionIssue[] {
  return [...signIssues(options), ...rowIssues(options, format), ...typeIssues(options), ...nullIssues(options)];
}

function signIssues({ delimiter, quote = '"', decimalSeparator }: FileOptions): OptionIssue[] {
  const issues: OptionIssue[] = [];
  if (delimiter === '\n' || delimiter === '\0') {
    issues.push(['delimiter', 'PATTERN', 'must not be a line break or NUL']);
  }
  if (quote > '\x7f' || quote === '\0') issues.push(['quote', 'PATTERN', 'must be an ASCII character']);
  if (delimiter === quote) issues.push(['delimiter', 'NOT_ALLOWED', 'must differ from quote']);
  if (decimalSeparator !== undefined && delimiter === decimalSeparator && quote === '') {
    issues.push(['decimalSeparator', 'NOT_ALLOWED', 'must differ from delimiter, because values are never quoted']);
  }
  return issues;
}

function rowIssues({ header, headerRow, skipRows }: FileOptions, format: 'csv' | undefined): OptionIssue[] {
  if (headerRow === undefined) return [];
  const issues: OptionIssue[] = [];
  if (skipRows !== undefined) {
    const message = `must not be combined with headerRow, which already leaves out the ${headerRow - 1} rows above it; remove one of the two`;
    issues.push(['skipRows', 'NOT_ALLOWED', message]);
  }
  // In a workbook, the row is then the first one to read.
  if (header === false && format === 'csv') {
    issues.push(['header', 'NOT_ALLOWED', 'must not be false with headerRow; to read all rows as data, use skipRows']);
  }
  return issues;
}

function typeIssues({ types = {}, dateFormat }: FileOptions): OptionIssue[] {
  const format = dateFormat === undefined ? undefined : readDateFormat(dateFormat);
  const invalid = Object.entries(types).filter(([, type]) => {
    const decimal = decimalDigits(type);
    return decimal && (decimal.precision < 1 || decimal.precision > 38 || decimal.scale > decimal.precision);
  });
  return [
    ...(format && 'issue' in format ? ([['dateFormat', 'PATTERN', format.issue]] satisfies OptionIssue[]) : []),
    ...invalid.map(
      ([name]): OptionIssue => [
        `types/${escapePointer(name)}`,
        'PATTERN',
        'must have 1 to 38 digits, of which the second number is after the point',
      ],
    ),
  ];
}

function nullIssues({ delimiter = '', quote = '"', nullValues, nullStrings }: FileOptions): OptionIssue[] {
  const signs = [delimiter, quote, '\0'].filter((sign) => sign !== '');
  const member = nullValues ? 'nullValues' : 'nullStrings';
  const issues = (nullValues ?? nullStrings ?? []).flatMap((text, index): OptionIssue[] =>
    signs.some((sign) => text.includes(sign))
      ? [[`${member}/${index}`, 'NOT_ALLOWED', 'must not contain the delimiter or the quote']]
      : [],
  );
  if (nullValues && nullStrings) {
    issues.push(['nullStrings', 'NOT_ALLOWED', 'is the former name of nullValues; remove one of the two']);
  }
  return issues;
}
