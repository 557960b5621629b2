import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { fieldOf, issueOfValue, PARAMETER_TYPES } from './parameters.ts';
import type { ParameterField } from './tabs.ts';

interface ParameterFieldsProps {
  names: readonly string[];
  fields: Readonly<Record<string, ParameterField>>;
  /** Absent where the types are those of a saved query. */
  change(name: string, field: ParameterField): void;
  hasFixedTypes?: boolean;
}

/** A field for each `$name` of the statement. An empty field is null. */
export const ParameterFields = ({ names, fields, change, hasFixedTypes = false }: ParameterFieldsProps) => (
  <fieldset class="sql-parameters" aria-label="Parameters">
    {names.map((name) => (
      <Parameter
        key={name}
        name={name}
        field={fieldOf(fields, name)}
        change={(field) => change(name, field)}
        hasFixedType={hasFixedTypes}
      />
    ))}
  </fieldset>
);

const INPUTS: Readonly<Record<string, 'date' | 'datetime-local'>> = { date: 'date', timestamp: 'datetime-local' };

interface ParameterProps {
  name: string;
  field: ParameterField;
  change(field: ParameterField): void;
  hasFixedType: boolean;
}

function Parameter({ name, field, change, hasFixedType }: ParameterProps) {
  const id = useId();
  const issue = issueOfValue(field);
  const common = {
    id,
    value: field.text,
    'aria-invalid': issue !== undefined || undefined,
    'aria-describedby': issue !== undefined ? `${id}-issue` : undefined,
  };
  const onText = ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
    change({ ...field, text: value });
  return (
    <div class="field sql-parameter">
      <label for={id}>
        <code>${name}</code>
      </label>
      <div class="sql-parameter-value">
        {field.type === 'boolean' ? (
          <select {...common} onChange={onText}>
            <option value="">null</option>
            <option value="true">true</option>
            <option value="false">false</option>
          </select>
        ) : (
          <input
            {...({ ...common, type: INPUTS[field.type] ?? 'text' } as JSX.IntrinsicElements['input'])}
            placeholder="null"
            autocomplete="off"
            onInput={onText}
          />
        )}
        {!hasFixedType && (
          <select
            aria-label={`Type of $${name}`}
            value={field.type}
            onChange={({ currentTarget: { value } }) =>
              change({ type: value, text: issueOfValue({ ...field, type: value }) ? '' : field.text })
            }
          >
            {PARAMETER_TYPES.map((type) => (
              <option key={type} value={type}>
                {type}
              </option>
            ))}
          </select>
        )}
      </div>
      {issue !== undefined && (
        <p class="issue" id={`${id}-issue`}>
          {issue}
        </p>
      )}
    </div>
  );
}
