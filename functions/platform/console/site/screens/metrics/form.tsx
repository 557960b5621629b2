import { allOf, PAGE } from '../../data/all.ts';
import { api, type Types } from '../../data/client.ts';
import { useMembers } from '../../data/members.ts';
import { fieldName, isTime, type Field as ModelField, useMeasures, useTables } from '../../data/models.ts';
import { issueOf, issueOfChoices, type Problem } from '../../data/problem.ts';
import { useQuery } from '../../data/query.ts';
import { Button } from '../../ui/button.tsx';
import { CheckField, Field, SelectField, TextField } from '../../ui/field.tsx';
import { homeZone } from '../../ui/schedule-fields.tsx';
import type { Draft } from './draft.ts';
import { conditionText, needsValue, OPERATORS } from './words.ts';

interface FormProps {
  draft: Draft;
  set(change: Partial<Draft>): void;
  problem: Problem | undefined;
}

const AGGREGATIONS = ['sum', 'count', 'count_distinct', 'avg', 'min', 'max'];
const GRAINS = ['day', 'week', 'month', 'quarter', 'year'];

/** The fields of a metric. */
export function MetricFields({ draft, set, problem }: FormProps) {
  const models = useQuery(['models', 'choices'], () => allOf(api.models.list({ limit: PAGE, sort: 'name' })));
  const tables = useTables(draft.modelId).data ?? [];
  const measures = useMeasures(draft.modelId).data ?? [];
  const members = useMembers();
  const issue = (member: string) => issueOf(problem, member);
  const zones = [...new Set([draft.timezone, homeZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])];
  return (
    <>
      <Field
        label="Name"
        required
        maxLength={200}
        issue={issue('name')}
        value={draft.name}
        onInput={({ currentTarget: { value } }) => set({ name: value })}
      />
      <TextField
        label="Description"
        rows={2}
        maxLength={2000}
        issue={issue('description')}
        value={draft.description}
        onInput={({ currentTarget: { value } }) => set({ description: value })}
      />
      <SelectField
        label="Model"
        required
        issue={issue('modelId') ?? issueOfChoices(models.error)}
        value={draft.modelId}
        onChange={({ currentTarget: { value } }) =>
          set({ modelId: value, measureId: '', fieldId: '', timeFieldId: '', filters: [] })
        }
      >
        <option value="">choose a model</option>
        {models.data?.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Measure"
        issue={issue('measureId')}
        value={draft.measureId}
        onChange={({ currentTarget: { value } }) => set({ measureId: value })}
      >
        <option value="">none: a field is aggregated</option>
        {measures.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {draft.measureId === '' && (
        <div class="beside">
          <FieldChoice
            label="Field"
            tables={tables}
            suits={() => true}
            issue={issue('fieldId')}
            value={draft.fieldId}
            choose={(fieldId) => set({ fieldId })}
          />
          <Choice
            label="Aggregation"
            values={AGGREGATIONS}
            issue={issue('aggregation')}
            value={draft.aggregation}
            choose={(aggregation) => set({ aggregation })}
          />
        </div>
      )}
      <div class="beside">
        <FieldChoice
          label="Time"
          tables={tables}
          suits={isTime}
          issue={issue('timeFieldId')}
          value={draft.timeFieldId}
          choose={(timeFieldId) => set({ timeFieldId })}
        />
        <Choice
          label="Period"
          values={GRAINS}
          issue={issue('grain')}
          value={draft.grain}
          choose={(grain) => set({ grain })}
        />
      </div>
      <Choice
        label="Time zone"
        values={zones}
        issue={issue('timezone')}
        value={draft.timezone}
        choose={(timezone) => set({ timezone })}
      />
      <Conditions draft={draft} set={set} problem={problem} />
      <SelectField
        label="Better is"
        value={draft.direction}
        onChange={({ currentTarget: { value } }) => set({ direction: value })}
      >
        <option value="up_good">more</option>
        <option value="down_good">less</option>
      </SelectField>
      <fieldset class="field-group">
        <legend>Target</legend>
        <div class="beside">
          <Field
            label="Value to reach"
            type="number"
            step="any"
            value={draft.target}
            onInput={({ currentTarget: { value } }) => set({ target: value })}
          />
          <Field
            label="From"
            type="date"
            value={draft.targetFrom}
            onChange={({ currentTarget: { value } }) => set({ targetFrom: value })}
          />
          <Field
            label="By"
            type="date"
            required={draft.target !== ''}
            issue={problem?.issues.find(({ pointer }) => pointer.startsWith('/target'))?.message}
            value={draft.targetBy}
            onChange={({ currentTarget: { value } }) => set({ targetBy: value })}
          />
        </div>
      </fieldset>
      <fieldset class="field-group">
        <legend>Format</legend>
        <div class="beside">
          <SelectField
            label="Shown as"
            value={draft.format}
            onChange={({ currentTarget: { value } }) => set({ format: value })}
          >
            <option value="">its measure says</option>
            <option value="number">number</option>
            <option value="currency">currency</option>
            <option value="percent">percent</option>
          </SelectField>
          {draft.format === 'currency' && (
            <Field
              label="Currency"
              placeholder="EUR"
              maxLength={3}
              required
              value={draft.currency}
              onInput={({ currentTarget: { value } }) => set({ currency: value.toUpperCase() })}
            />
          )}
          {draft.format !== '' && (
            <Field
              label="Decimals"
              type="number"
              min={0}
              max={10}
              value={draft.decimals}
              onInput={({ currentTarget: { value } }) => set({ decimals: value })}
            />
          )}
        </div>
        {draft.format !== '' && (
          <CheckField
            label="Shorten large numbers, such as 1.2M"
            checked={draft.abbreviate}
            onChange={({ currentTarget: { checked } }) => set({ abbreviate: checked })}
          />
        )}
      </fieldset>
      <SelectField
        label="Owner"
        issue={issue('ownerId')}
        value={draft.ownerId}
        onChange={({ currentTarget: { value } }) => set({ ownerId: value })}
      >
        {draft.ownerId === '' && <option value="">you</option>}
        {members &&
          [...members.values()].map(({ userId, name, email }) => (
            <option key={userId} value={userId}>
              {name || email}
            </option>
          ))}
      </SelectField>
    </>
  );
}

interface ChoiceProps {
  label: string;
  values: readonly string[];
  value: string;
  issue: string | undefined;
  choose(value: string): void;
}

const Choice = ({ label, values, value, issue, choose }: ChoiceProps) => (
  <SelectField label={label} value={value} issue={issue} onChange={({ currentTarget }) => choose(currentTarget.value)}>
    {values.map((each) => (
      <option key={each} value={each}>
        {each.replaceAll('_', ' ')}
      </option>
    ))}
  </SelectField>
);

interface FieldChoiceProps {
  label: string;
  tables: NonNullable<ReturnType<typeof useTables>['data']>;
  suits(field: ModelField): boolean;
  value: string;
  issue?: string | undefined;
  choose(id: string): void;
}

const FieldChoice = ({ label, tables, suits, value, issue, choose }: FieldChoiceProps) => (
  <SelectField
    label={label}
    required
    value={value}
    issue={issue}
    onChange={({ currentTarget }) => choose(currentTarget.value)}
  >
    <option value="">choose a field</option>
    {tables.flatMap(({ fields }) =>
      fields.filter(suits).map(({ id }) => (
        <option key={id} value={id}>
          {fieldName(tables, id)}
        </option>
      )),
    )}
  </SelectField>
);

/** The conditions on rows. Those that were written as expressions are kept, and can be removed. */
function Conditions({ draft: { filters, modelId }, set, problem }: FormProps) {
  const tables = useTables(modelId).data ?? [];
  const replace = (at: number, next: Types.QuestionConditionInput | undefined) =>
    set({ filters: filters.flatMap((each, index) => (index === at ? (next ? [next] : []) : [each])) });
  return (
    <fieldset class="field-group">
      <legend>Only rows where</legend>
      {filters.map((filter, index) => (
        <div class="condition-row" key={index}>
          {filter.fieldId === undefined ? (
            <p>{conditionText(filter as Types.QuestionCondition, (id) => fieldName(tables, id) ?? id)}</p>
          ) : (
            <Condition
              tables={tables}
              filter={filter}
              number={index + 1}
              issue={problem?.issues.find(({ pointer }) => pointer.startsWith(`/filters/${index}`))?.message}
              replace={(next) => replace(index, next)}
            />
          )}
          <Button isSmall look="plain" icon="x" onClick={() => replace(index, undefined)}>
            Remove condition {index + 1}
          </Button>
        </div>
      ))}
      <Button
        isSmall
        icon="plus"
        disabled={tables.length === 0}
        onClick={() => set({ filters: [...filters, { fieldId: '', op: 'eq', values: [] }] })}
      >
        Add condition
      </Button>
    </fieldset>
  );
}

interface ConditionProps {
  tables: FieldChoiceProps['tables'];
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
    <div class="beside">
      <FieldChoice
        label={`Field of condition ${number}`}
        tables={tables}
        suits={() => true}
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
        <Field
          label={`Value ${number}`}
          placeholder={/in$|between/.test(op) ? 'values, with commas between' : undefined}
          required
          defaultValue={values.join(', ')}
          onChange={({ currentTarget: { value } }) => replace({ ...filter, values: valuesOf(value, op, field) })}
        />
      )}
    </div>
  );
}

/** Typed values in the type of the field. A comma separates values only where there can be several. */
function valuesOf(text: string, op: string, field: ModelField | undefined): (string | number | boolean)[] {
  const several = /^(in|not_in|between)$/.test(op);
  const texts = several ? text.split(',').map((each) => each.trim()) : [text];
  const { dataType } = field ?? {};
  return texts.map((each) => {
    if (dataType === 'boolean' && /^(true|false)$/i.test(each)) return each.toLowerCase() === 'true';
    const isNumber = dataType === 'integer' || dataType === 'number' || dataType === 'decimal';
    return isNumber && each !== '' && Number.isFinite(Number(each)) ? Number(each) : each;
  });
}
