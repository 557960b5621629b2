import { PAGE } from '../../data/all.ts';
import { api, type Types } from '../../data/client.ts';
import type { Field as ModelField, Table } from '../../data/models.ts';
import { CheckField, Field, SelectField, TextField } from '../../ui/field.tsx';
import { ExpressionField } from './expression.tsx';
import { findPart, PartForm } from './part-form.tsx';

const KINDS = ['dimension', 'measure', 'calculated'];
const TYPES = ['string', 'number', 'integer', 'decimal', 'boolean', 'date', 'datetime', 'time', 'geo'];
const AGGREGATIONS = ['sum', 'count', 'count_distinct', 'avg', 'min', 'max', 'none'];

const NEW = {
  name: '',
  description: '',
  fieldType: 'calculated',
  dataType: 'string',
  aggregation: 'none',
  sourceColumn: '',
  expression: '',
  format: '',
  semanticType: '',
  sensitivityLabel: '',
  isHidden: false,
};
type Draft = typeof NEW;

const draftOf = (field: ModelField): Draft => ({
  name: field.name,
  description: field.description,
  fieldType: field.fieldType,
  dataType: field.dataType,
  aggregation: field.aggregation,
  sourceColumn: field.sourceColumn ?? '',
  expression: field.expression ?? '',
  format: field.format ?? '',
  semanticType: field.semanticType ?? '',
  sensitivityLabel: field.sensitivityLabel ?? '',
  isHidden: field.isHidden,
});

/** Only what differs is sent, because some members can be changed by admins alone. */
function changesOf(draft: Draft, before: Draft): Types.UpdateModelField {
  const isCalculated = draft.fieldType === 'calculated';
  const wanted = { ...draft, ...(isCalculated ? { sourceColumn: '' } : { expression: '' }) };
  const changed = Object.entries(wanted).filter(([member, value]) => value !== before[member as keyof Draft]);
  const optional = new Set(['sourceColumn', 'expression', 'format', 'semanticType', 'sensitivityLabel']);
  return Object.fromEntries(
    changed.map(([member, value]) => [member, value === '' && optional.has(member) ? null : value]),
  );
}

const LABELS = {
  name: 'Name',
  description: 'Description',
  fieldType: 'Used as',
  dataType: 'Type',
  aggregation: 'Combined by',
  sourceColumn: 'Column',
  expression: 'Expression',
  format: 'Format',
  semanticType: 'Meaning',
  sensitivityLabel: 'Sensitivity label',
  isHidden: 'Hidden',
};

interface FieldFormProps {
  table: Table;
  /** Absent for a new one. */
  field: ModelField | undefined;
  close: () => void;
}

export function FieldForm({ table, field, close }: FieldFormProps) {
  const { modelId, id: tableId } = table;
  const before = field ? draftOf(field) : NEW;
  return (
    <PartForm<ModelField, Draft>
      modelId={modelId}
      noun="field"
      name={field?.name ?? ''}
      part={field}
      draft={before}
      draftOf={draftOf}
      labels={LABELS}
      read={() => findPart(api.models.listTableFields(modelId, tableId, { limit: PAGE }), field!, 'field')}
      save={(draft, options) =>
        field
          ? api.models.updateField(modelId, tableId, field.id, changesOf(draft, before), options)
          : api.models.createField(modelId, tableId, createdOf(draft))
      }
      remove={(options) =>
        api.models.deleteField(modelId, tableId, field!.id, { force: options.force }, { ifMatch: options.ifMatch })
      }
      loses="Its relationships and levels of hierarchies are removed too. The column stays in the source."
      close={close}
    >
      {({ draft, set, issue }) => (
        <>
          <Field
            label="Name"
            required
            issue={issue('name')}
            value={draft.name}
            onInput={({ currentTarget: { value } }) => set({ name: value })}
          />
          <TextField
            label="Description"
            rows={2}
            issue={issue('description')}
            value={draft.description}
            onInput={({ currentTarget: { value } }) => set({ description: value })}
          />
          <div class="beside">
            <Choice label="Used as" values={KINDS} value={draft.fieldType} choose={(fieldType) => set({ fieldType })} />
            <Choice label="Type" values={TYPES} value={draft.dataType} choose={(dataType) => set({ dataType })} />
            {draft.fieldType === 'measure' && (
              <Choice
                label="Combined by"
                values={AGGREGATIONS}
                value={draft.aggregation}
                choose={(aggregation) => set({ aggregation })}
              />
            )}
          </div>
          {draft.fieldType === 'calculated' ? (
            <ExpressionField
              label="Expression"
              hint="Such as [amount] * 1.19; it is computed for each row."
              issue={issue('expression')}
              value={draft.expression}
              onChange={(expression) => set({ expression })}
              check={(expression) => api.models.validateExpression(modelId, { expression, tableId })}
            />
          ) : (
            <Field
              label="Column"
              hint="In the source; by default it has the name of the field."
              issue={issue('sourceColumn')}
              value={draft.sourceColumn}
              onInput={({ currentTarget: { value } }) => set({ sourceColumn: value })}
            />
          )}
          <div class="beside">
            <Field
              label="Format"
              placeholder="0.00, EUR, percent"
              issue={issue('format')}
              value={draft.format}
              onInput={({ currentTarget: { value } }) => set({ format: value })}
            />
            <Field
              label="Meaning"
              placeholder="email, country"
              issue={issue('semanticType')}
              value={draft.semanticType}
              onInput={({ currentTarget: { value } }) => set({ semanticType: value })}
            />
            {field && (
              <Field
                label="Sensitivity label"
                placeholder="Private"
                issue={issue('sensitivityLabel')}
                value={draft.sensitivityLabel}
                onInput={({ currentTarget: { value } }) => set({ sensitivityLabel: value })}
              />
            )}
          </div>
          <CheckField
            label="Hidden from people who ask questions"
            checked={draft.isHidden}
            onChange={({ currentTarget: { checked } }) => set({ isHidden: checked })}
          />
        </>
      )}
    </PartForm>
  );
}

function createdOf(draft: Draft): Types.CreateModelField {
  const { name, fieldType, dataType, sensitivityLabel: _label, ...others } = draft;
  const given = Object.entries(others).filter(([, value]) => value !== '');
  return { name, fieldType, dataType, ...Object.fromEntries(given) } as Types.CreateModelField;
}

interface ChoiceProps {
  label: string;
  values: readonly string[];
  value: string;
  choose(value: string): void;
}

const Choice = ({ label, values, value, choose }: ChoiceProps) => (
  <SelectField label={label} value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
    {values.map((each) => (
      <option key={each} value={each}>
        {each.replaceAll('_', ' ')}
      </option>
    ))}
  </SelectField>
);
