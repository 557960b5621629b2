import type { Types } from '../data/client.ts';
import { conditionText, hasSeveral, needsValue, OPERATORS } from '../data/conditions.ts';
import { fieldName, type Table, useTables } from '../data/models.ts';
import { Button } from '../ui/button.tsx';
import { SelectField } from '../ui/field.tsx';
import type { Issues } from '../ui/schema-form.tsx';
import { ValuesField } from '../ui/values-field.tsx';
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
        <ValuesField
          label={`Value ${number}`}
          hasSeveral={hasSeveral(op)}
          dataType={field?.dataType}
          values={values}
          onChange={(next) => replace({ ...filter, values: next })}
        />
      )}
    </div>
  );
}
