import type { Field as ModelField, Table } from '../../data/models.ts';
import { SelectField } from '../../ui/field.tsx';

interface FieldChoiceProps {
  label: string;
  tables: readonly Table[];
  value: string;
  issue?: string | undefined;
  suits?: (field: ModelField) => boolean;
  choose(id: string): void;
}

/** A field of any table, by its name in expressions. */
export const FieldChoice = ({ label, tables, value, issue, suits = () => true, choose }: FieldChoiceProps) => (
  <SelectField
    label={label}
    required
    value={value}
    issue={issue}
    onChange={({ currentTarget }) => choose(currentTarget.value)}
  >
    <option value="">choose a field</option>
    {tables.map(({ id, alias, fields }) => (
      <optgroup key={id} label={alias}>
        {fields.filter(suits).map((field) => (
          <option key={field.id} value={field.id}>
            {alias}.{field.name}
          </option>
        ))}
      </optgroup>
    ))}
  </SelectField>
);
