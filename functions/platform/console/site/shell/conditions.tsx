import { useState } from 'preact/hooks';
import type { Types } from '../data/client.ts';
import { conditionText, needsValue, OPERATORS } from '../data/conditions.ts';
import { fieldName, type Field as ModelField, type Table, useTables } from '../data/models.ts';
import { Button } from '../ui/button.tsx';
import { Field, SelectField } from '../ui/field.tsx';
import type { Issues } from '../ui/schema-form.tsx';
import { FieldChoice } from './field-choice.tsx';

interface ConditionsProps {
  /** Of which model the fields are. */
  modelId: string;
  value: readonly Types.QuestionConditionInput[];
  onChange(filters: readonly Types.QuestionConditionInput[]): void;
  /** Of the whole request. */
  issues: Issues | undefined;
  /** Where the conditions are in the request, such as `/filters`. */
  at: string;
  label?: string;
}

/** The conditions on rows. Those that were written as expressions are kept, and can be removed. */
export function Conditions({ modelId, value, onChange, issues = [], at, label = 'Only rows where' }: ConditionsProps) {
  const tables = useTables(modelId).data ?? [];
  const replace = (index: number, next: Types.QuestionConditionInput | undefined) =>
    onChange(value.flatMap((each, other) => (other === index ? (next ? [next] : []) : [each])));
  const issueAt = (isThere: (pointer: string) => boolean) => issues.find(({ pointer }) => isThere(pointer))?.message;
  const issueOfAll = issueAt((pointer) => pointer === at);
  return (
    <fieldset class="field-group">
      <legend>{label}</legend>
      {issueOfAll !== undefined && <p class="issue">{issueOfAll}</p>}
      {value.map((filter, index) => {
        const own = `${at}/${index}`;
        const issue = issueAt((pointer) => pointer === own || pointer.startsWith(`${own}/`));
        return (
          <div class="condition-row" key={index}>
            {filter.fieldId === undefined ? (
              <>
                <p>{conditionText(filter as Types.QuestionCondition, (id) => fieldName(tables, id) ?? id)}</p>
                {issue !== undefined && <p class="issue">{issue}</p>}
              </>
            ) : (
              <Condition
                tables={tables}
                filter={filter}
                number={index + 1}
                issue={issue}
                replace={(next) => replace(index, next)}
              />
            )}
            <Button isSmall look="plain" icon="x" onClick={() => replace(index, undefined)}>
              Remove condition {index + 1}
            </Button>
          </div>
        );
      })}
      <Button
        isSmall
        icon="plus"
        disabled={tables.length === 0}
        onClick={() => onChange([...value, { fieldId: '', op: 'eq', values: [] }])}
      >
        Add condition
      </Button>
    </fieldset>
  );
}

interface ConditionProps {
  tables: readonly Table[];
  filter: Types.QuestionConditionInput;
  number: number;
  issue: string | undefined;
  replace(next: Types.QuestionConditionInput): void;
}

function Condition({ tables, filter, number, issue, replace }: ConditionProps) {
  const { fieldId = '', op = 'eq', values = [] } = filter;
  const field = tables.flatMap(({ fields }) => fields).find(({ id }) => id === fieldId);
  const ops = Object.keys(OPERATORS).includes(op) ? OPERATORS : { [op]: op.replaceAll('_', ' '), ...OPERATORS };
  return (
    <div class="beside-fields">
      <FieldChoice
        label={`Field of condition ${number}`}
        tables={tables}
        value={fieldId}
        issue={issue}
        choose={(id) => replace({ ...filter, fieldId: id })}
      />
      <SelectField
        label={`Comparison ${number}`}
        value={op}
        onChange={({ currentTarget: { value } }) =>
          replace({ ...filter, op: value as 'eq', values: needsValue(value) ? values : [] })
        }
      >
        {Object.entries(ops).map(([id, text]) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
      </SelectField>
      {needsValue(op) && (
        <ValueField
          label={`Value ${number}`}
          hasSeveral={hasSeveral(op)}
          values={values}
          read={(text) => valuesOf(text, op, field)}
          onChange={(next) => replace({ ...filter, values: next })}
        />
      )}
    </div>
  );
}

type Value = string | number | boolean;

interface ValueFieldProps {
  label: string;
  hasSeveral: boolean;
  values: readonly Value[];
  read(text: string): Value[];
  onChange(values: Value[]): void;
}

/** Shows what was typed as long as it means the values, which another version of the form may have changed. */
function ValueField({ label, hasSeveral: isList, values, read, onChange }: ValueFieldProps) {
  const [typed, type] = useState('');
  const isTyped = JSON.stringify(read(typed)) === JSON.stringify(values);
  return (
    <Field
      label={label}
      placeholder={isList ? 'values, with commas between' : undefined}
      required
      value={isTyped ? typed : values.join(', ')}
      onInput={({ currentTarget: { value } }) => {
        type(value);
        onChange(read(value));
      }}
    />
  );
}

const hasSeveral = (op: string): boolean => /^(in|not_in|between)$/.test(op);

/** Typed values in the type of the field. A comma separates values only where there can be several. */
function valuesOf(text: string, op: string, field: ModelField | undefined): Value[] {
  const texts = hasSeveral(op) ? text.split(',').map((each) => each.trim()) : [text];
  const { dataType } = field ?? {};
  return texts.map((each) => {
    if (dataType === 'boolean' && /^(true|false)$/i.test(each)) return each.toLowerCase() === 'true';
    const isNumber = dataType === 'integer' || dataType === 'number' || dataType === 'decimal';
    return isNumber && each !== '' && Number.isFinite(Number(each)) ? Number(each) : each;
  });
}
