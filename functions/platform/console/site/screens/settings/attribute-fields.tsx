import type { Signal } from '@preact/signals';
import { Button, IconButton } from '../../ui/button.tsx';
import { Field, TextField } from '../../ui/field.tsx';
import type { AttributeRow } from './attributes.ts';

interface AttributeFieldsProps {
  value: Signal<readonly AttributeRow[]>;
  /** Those that only the identity provider sets. */
  mapped?: readonly string[];
  issues?: readonly { pointer: string; message: string }[];
}

/** Names with their values, which decide what rows of models a person or a key sees. */
export function AttributeFields({ value, mapped = [], issues = [] }: AttributeFieldsProps) {
  const rows = value.value;
  const set = (index: number, change: Partial<AttributeRow>) => {
    value.value = rows.map((row, at) => (at === index ? { ...row, ...change } : row));
  };
  return (
    <div class="attributes">
      {rows.map((row, index) => {
        const isMapped = mapped.includes(row.name);
        return (
          <fieldset key={index} class="field-group" aria-label={`Attribute ${index + 1}`}>
            <Field
              label="Name"
              placeholder="region"
              readOnly={isMapped}
              value={row.name}
              onInput={({ currentTarget }) => set(index, { name: currentTarget.value })}
            />
            <TextField
              label="Values"
              rows={2}
              readOnly={isMapped}
              hint={isMapped ? 'Set by your identity provider.' : 'One on each line.'}
              value={row.text}
              onInput={({ currentTarget }) => set(index, { text: currentTarget.value })}
              issue={issues.find(({ pointer }) => pointer.startsWith(`/attributes/${row.name}`))?.message}
            />
            {!isMapped && (
              <IconButton
                icon="x"
                label={`Remove attribute ${index + 1}`}
                onClick={() => {
                  value.value = rows.filter((_row, at) => at !== index);
                }}
              />
            )}
          </fieldset>
        );
      })}
      <Button
        isSmall
        icon="plus"
        onClick={() => {
          value.value = [...rows, { name: '', text: '' }];
        }}
      >
        Add an attribute
      </Button>
    </div>
  );
}
