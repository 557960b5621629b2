import { useState } from 'preact/hooks';
import { api } from '../../data/client.ts';
import { problemOf } from '../../data/problem.ts';
import { useQuery } from '../../data/query.ts';
import { useTables } from '../../data/sources.ts';
import { IconButton } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { SelectField } from '../../ui/field.tsx';

interface TablePickerProps {
  sourceId: string;
  /** Such as `public.orders`. */
  tables: readonly string[];
  change: (tables: readonly string[]) => void;
  issues?: readonly { pointer: string; message: string }[];
}

const SHOWN = 50;

/** Chooses tables of a source, schema by schema. */
export function TablePicker({ sourceId, tables, change, issues = [] }: TablePickerProps) {
  const [chosen, setSchema] = useState<string | undefined>(undefined);
  const [text, type] = useState('');
  const { data, error } = useQuery(['sources', sourceId, 'schemas'], () => api.dataSources.listSchemas(sourceId), {
    enabled: sourceId !== '',
  });
  const schemas = data?.items ?? [];
  const schema = chosen ?? schemas.find(({ name }) => name === 'public')?.name ?? schemas[0]?.name;
  const found = useTables(sourceId, schema, text.trim(), sourceId !== '' && schema !== undefined);
  const names = (found.items ?? []).map(({ name }) => `${schema}.${name}`).filter((name) => !tables.includes(name));
  const add = (name: string) => {
    change([...tables, name]);
    type('');
  };
  return (
    <fieldset class="field-group">
      <legend>Tables</legend>
      {tables.length > 0 && (
        <ul class="list chosen-tables">
          {tables.map((name, index) => {
            const issue = issues.find(({ pointer }) => pointer === `/tables/${index}`)?.message;
            return (
              <li key={name}>
                <span>
                  {name}
                  {issue && <span class="issue"> {issue}</span>}
                </span>
                <IconButton
                  icon="x"
                  label={`Remove ${name}`}
                  onClick={() => change(tables.filter((each) => each !== name))}
                />
              </li>
            );
          })}
        </ul>
      )}
      {sourceId === '' && <p class="hint">Choose a source first.</p>}
      {error !== null && error !== undefined && <p class="issue">{problemOf(error).sentence}</p>}
      {schemas.length > 1 && (
        <SelectField label="Schema" value={schema} onChange={({ currentTarget: { value } }) => setSchema(value)}>
          {schemas.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      {sourceId !== '' && (
        <Combobox
          label="Add a table"
          text={text}
          type={type}
          options={names.slice(0, SHOWN).map((name) => ({ id: name, label: name }))}
          choose={({ id }) => add(id)}
        />
      )}
    </fieldset>
  );
}
