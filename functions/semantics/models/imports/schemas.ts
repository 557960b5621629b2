import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Id } from '../../../../shared/platform/http/schemas.ts';

export const ImportTables = Type.Object(
  {
    schema: Type.Optional(Type.String({ maxLength: 255, description: 'Only tables of this schema.' })),
    tables: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), {
        minItems: 1,
        maxItems: 500,
        uniqueItems: true,
        description: 'Only these tables, with or without their schema; all tables when absent.',
      }),
    ),
  },
  { $id: 'ImportModelTables', description: 'Which tables of the source to import.' },
);
export type ImportTables = Static<typeof ImportTables>;

const FieldChange = Type.Object(
  { table: Type.String({ description: 'The alias of the table.' }), field: Type.String(), fieldId: Id },
  { $id: 'ModelFieldChange', description: 'A field whose column has changed in the source.' },
);

export const SyncReport = Type.Object(
  {
    tablesAdded: Type.Integer({ minimum: 0 }),
    fieldsAdded: Type.Integer({ minimum: 0 }),
    fieldsChanged: Type.Array(FieldChange, {
      description: 'Columns with another type, or that are back; at most 200.',
    }),
    fieldsMissing: Type.Array(FieldChange, { description: 'Fields without a column in the source; at most 200.' }),
  },
  { $id: 'ModelSyncReport', description: 'What an import or a sync has changed.' },
);
export type SyncReport = Static<typeof SyncReport>;
