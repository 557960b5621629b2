import { api, type Types } from '../../data/client.ts';
import { useQuery } from '../../data/query.ts';
import type { Known, KnownField } from './question.ts';

const MAX_PARTS = 10_000;

export interface ReadModel {
  model: Types.ModelDetails;
  known: Known;
  /** For people who look for a field: by table, in the order of the model. */
  tables: readonly { alias: string; fields: readonly KnownField[] }[];
}

/** The model with everything that a person may ask for; what is hidden or broken is left out. */
export const useModel = (id: string) =>
  useQuery(['explore', id, 'model'], async (): Promise<ReadModel> => {
    const [model, tables, measures] = await Promise.all([
      api.models.get(id),
      api.models.listTables(id, { includeFields: true, limit: MAX_PARTS }),
      api.models.listMeasures(id, { limit: MAX_PARTS }),
    ]);
    const shown = tables.items.map(({ alias, fields = [] }) => ({
      alias,
      fields: fields.filter(({ isHidden, missing, stale }) => !isHidden && !missing && !stale).map(knownField(alias)),
    }));
    const found = measures.items.filter(({ isHidden, stale }) => !isHidden && !stale);
    return {
      model,
      tables: shown.filter(({ fields }) => fields.length > 0),
      known: {
        fields: new Map(shown.flatMap(({ fields }) => fields.map((field) => [field.id, field]))),
        measures: new Map(
          found.map(({ id: measureId, name, folder, description }) => [
            measureId,
            { id: measureId, name, folder, description },
          ]),
        ),
      },
    };
  });

const knownField =
  (table: string) =>
  ({ id, name, dataType, aggregation, fieldType, description }: Types.ModelField): KnownField => ({
    id,
    name,
    table,
    dataType,
    aggregation,
    isMeasure: fieldType === 'measure',
    description,
  });
