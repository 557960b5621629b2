import Type from 'typebox';
import { StrictObject, StringEnum } from '../../platform/http/schemas.ts';
import { RAGGED_ROWS } from './csv-dialect.ts';

/** How a text file is written, where that is not to be guessed. */
export const FileOptions = StrictObject({
  delimiter: Type.Optional(Type.String({ minLength: 1, maxLength: 1 })),
  quote: Type.Optional(Type.String({ maxLength: 1 })),
  header: Type.Optional(Type.Boolean()),
  nullStrings: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 20 })),
  raggedRows: Type.Optional(
    StringEnum(RAGGED_ROWS, {
      description:
        'Rows of a CSV file with more or fewer values than columns: `refuse` the file (when absent), `pad` missing values with null, or `skip` and count them.',
    }),
  ),
  encoding: Type.Optional(StringEnum(['utf-8', 'utf-16le', 'utf-16be', 'latin-1'])),
  sheet: Type.Optional(Type.String({ minLength: 1, maxLength: 31, description: 'Of an Excel workbook; the first.' })),
  headerRow: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_048_576, description: 'Of a sheet: the row with the names.' }),
  ),
});
