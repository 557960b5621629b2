import { allOf, PAGE } from './all.ts';
import { api, type Types } from './client.ts';
import { useQuery } from './query.ts';

export type Model = Types.ModelDetails;
export type Field = Types.ModelField;
export type Measure = Types.Measure;
export type Table = Types.ModelTable & { fields: readonly Field[] };

export const useModel = (id: string, enabled = true) =>
  useQuery(['models', id], () => api.models.get(id), { enabled: enabled && id !== '' });

export const useTables = (id: string, enabled = true) =>
  useQuery(['models', id, 'tables'], () => readTables(id), { enabled: enabled && id !== '' });

export const useMeasures = (id: string, enabled = true) =>
  useQuery(['models', id, 'measures'], () => allOf(api.models.listMeasures(id, { limit: PAGE })), {
    enabled: enabled && id !== '',
  });

async function readTables(id: string): Promise<Table[]> {
  const tables = await allOf(api.models.listTables(id, { limit: PAGE, includeFields: true }));
  return tables.map((table) => ({ ...table, fields: table.fields ?? [] }));
}

/** The name of a field as expressions have it. */
export const fieldName = (tables: readonly Table[], fieldId: string | null | undefined): string | undefined => {
  for (const { alias, fields } of tables) {
    const field = fields.find(({ id }) => id === fieldId);
    if (field) return `${alias}.${field.name}`;
  }
  return undefined;
};

export const isTime = ({ dataType }: Pick<Field, 'dataType'>): boolean =>
  dataType === 'date' || dataType === 'datetime';
