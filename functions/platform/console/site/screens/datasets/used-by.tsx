import { useState } from 'preact/hooks';
import type { Dataset } from '../../data/datasets.ts';
import { Lineage } from '../../shell/lineage.tsx';
import { SelectField } from '../../ui/field.tsx';

/** What the dataset is made of, and what is made of it: as a whole, or by one of its columns. */
export function UsedBy({ dataset: { id, columns } }: { dataset: Dataset }) {
  const [column, setColumn] = useState('');
  return (
    <>
      <div class="uses-of">
        <SelectField
          label="Show uses of"
          value={column}
          onChange={({ currentTarget }) => setColumn(currentTarget.value)}
        >
          <option value="">the whole dataset</option>
          {columns.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
      <Lineage type="dataset" id={id} column={column} />
    </>
  );
}
