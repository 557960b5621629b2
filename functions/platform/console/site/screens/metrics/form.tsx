import { allOf, PAGE } from '../../data/all.ts';
import { api } from '../../data/client.ts';
import { isTime, useMeasures, useTables } from '../../data/models.ts';
import { issueOf, issueOfChoices, type Problem } from '../../data/problem.ts';
import { useQuery } from '../../data/query.ts';
import { Conditions } from '../../shell/conditions.tsx';
import { FieldChoice } from '../../shell/field-choice.tsx';
import { OwnerField } from '../../shell/member-choice.tsx';
import { CheckField, Field, SelectField, TextField } from '../../ui/field.tsx';
import { FormatFields } from '../../ui/format-fields.tsx';
import { homeZone } from '../../ui/schedule-fields.tsx';
import type { Draft } from './draft.ts';

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
  const { data: tables = [], error: tablesError } = useTables(draft.modelId);
  const { data: measures = [], error: measuresError } = useMeasures(draft.modelId);
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
        issue={issue('measureId') ?? issueOfChoices(measuresError)}
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
        <div class="beside-fields">
          <FieldChoice
            label="Field"
            tables={tables}
            issue={issue('fieldId') ?? issueOfChoices(tablesError)}
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
      <div class="beside-fields">
        <FieldChoice
          label="Time"
          tables={tables}
          suits={isTime}
          issue={issue('timeFieldId') ?? issueOfChoices(tablesError)}
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
      <Conditions
        modelId={draft.modelId}
        value={draft.filters}
        onChange={(filters) => set({ filters })}
        issues={problem?.issues}
        at="/filters"
      />
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
        <div class="beside-fields">
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
        <div class="beside-fields">
          <FormatFields draft={draft} set={set} none="same as the measure" />
        </div>
        {draft.format !== '' && (
          <CheckField
            label="Shorten large numbers, such as 1.2M"
            checked={draft.abbreviate}
            onChange={({ currentTarget: { checked } }) => set({ abbreviate: checked })}
          />
        )}
      </fieldset>
      <OwnerField issue={issue('ownerId')} value={draft.ownerId} choose={(ownerId) => set({ ownerId })} />
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
