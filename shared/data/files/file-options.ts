import Type from 'typebox';
import { StrictObject, StringEnum } from '../../platform/http/schemas.ts';
import { RAGGED_ROWS } from './csv-dialect.ts';

export const FileOptions = StrictObject(
  {
    delimiter: Type.Optional(Type.String({ minLength: 1, maxLength: 1 })),
    quote: Type.Optional(Type.String({ maxLength: 1 })),
    header: Type.Optional(Type.Boolean()),
    nullStrings: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), { maxItems: 20, description: 'Texts that mean null.' }),
    ),
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
    headerRow: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_048_576, description: 'The row of the sheet that has the names.' }),
    ),
  },
  { $id: 'FileOptions', description: 'How a text file is written. What is omitted is detected.' },
);
