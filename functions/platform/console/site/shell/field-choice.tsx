import type { Field as ModelField, Table } from '../data/models.ts';
import { SelectField } from '../ui/field.tsx';

interface FieldChoiceProps {
  label: string;
  tables: readonly Table[];
  value: string;
  issue?: string | undefined;
  suits?: (field: ModelField) => boolean;
  /** What the choice without a field says; such a choice is allowed. */
  none?: string;
  choose(id: string): void;
}

/** A field of any table, by its name in expressions. */
export const FieldChoice = ({ label, tables, value, issue, suits = () => true, none, choose }: FieldChoiceProps) => (
  <SelectField
    label={label}
    required={none === undefined}
    value={value}
    issue={issue}
    onChange={({ currentTarget }) => choose(currentTarget.value)}
  >
    <option value="">{none ?? 'choose a field'}</option>
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
