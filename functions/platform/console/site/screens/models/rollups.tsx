import { allOf, PAGE } from '../../data/all.ts';
import { api, type Types } from '../../data/client.ts';
import {
  fieldName,
  isTime,
  type Measure,
  type Table as ModelTable,
  useMeasures,
  useTables,
} from '../../data/models.ts';
import { problemOf } from '../../data/problem.ts';
import { useQuery } from '../../data/query.ts';
import { FieldChoice } from '../../shell/field-choice.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { findPart, PartForm } from './part-form.tsx';
import { type EditPart, PartList, PartName } from './part-list.tsx';
import type { PartProps } from './part-props.ts';

type Rollup = Types.ModelRollup;
type Dimension = Types.ModelRollupDimension;
type Aggregate = Types.ModelRollupMeasure;

const GRAINS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'];
const AGGREGATIONS = ['sum', 'count', 'count_distinct', 'avg', 'min', 'max'];
const MAX_DIMENSIONS = 20;
const MAX_MEASURES = 50;

/** What the parts of rollups are called. */
interface Names {
  tables: readonly ModelTable[];
  measures: readonly Measure[];
}

/** Aggregates that are stored, so that questions need not read all rows. */
export function Rollups(part: PartProps) {
  const { model } = part;
  const tables = useTables(model.id).data ?? [];
  const measures = useMeasures(model.id).data ?? [];
  const { data, error, refresh } = useQuery(['models', model.id, 'rollups'], () =>
    allOf(api.models.listRollups(model.id, { limit: PAGE })),
  );
  if (!data) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={5} />;
  if (model.sourceId !== 'datasets') {
    return (
      <Empty icon="table" title="This model has no rollups">
        Rollups are for models over datasets. The rows of databases are not stored.
      </Empty>
    );
  }
  const names = { tables, measures };
  return (
    <PartList
      {...part}
      label="Rollups"
      noun="rollup"
      parts={data}
      keyOf={({ id }) => id}
      columnsOf={(edit) => columnsOf(names, edit)}
      form={(rollup, close) => <RollupForm modelId={model.id} names={names} rollup={rollup} close={close} />}
      icon="table"
      title="There are no rollups yet"
    >
      A rollup stores aggregates, such as revenue by month, so that questions that need them are answered faster.
    </PartList>
  );
}

const GONE = 'something that no longer exists';

const dimensionsInWords = ({ tables }: Names, dimensions: readonly Dimension[]): string =>
  dimensions
    .map(({ fieldId, grain }) => [fieldName(tables, fieldId) ?? GONE, grain && `by ${grain}`].filter(Boolean).join(' '))
    .join(', ') || 'nothing: one row';

const measuresInWords = ({ tables, measures }: Names, aggregates: readonly Aggregate[]): string =>
  aggregates
    .map(({ measureId, fieldId, aggregation }) =>
      measureId === undefined
        ? `${(aggregation ?? 'aggregate').replaceAll('_', ' ')} of ${fieldName(tables, fieldId) ?? GONE}`
        : (measures.find(({ id }) => id === measureId)?.name ?? GONE),
    )
    .join(', ');

const columnsOf = (names: Names, edit: EditPart): readonly Column<Rollup>[] => [
  {
    id: 'name',
    label: 'Rollup',
    width: '26%',
    cell: ({ id, name }) => (
      <PartName of={id} edit={edit}>
        {name}
      </PartName>
    ),
  },
  {
    id: 'measures',
    label: 'Computes',
    cell: ({ measures }) => <span title={measuresInWords(names, measures)}>{measuresInWords(names, measures)}</span>,
  },
  {
    id: 'dimensions',
    label: 'Grouped by',
    isMinor: true,
    cell: ({ dimensions }) => (
      <span title={dimensionsInWords(names, dimensions)}>{dimensionsInWords(names, dimensions)}</span>
    ),
  },
];

interface Draft {
  name: string;
  dimensions: readonly Dimension[];
  measures: readonly Aggregate[];
}

const NEW: Draft = { name: '', dimensions: [], measures: [{ measureId: '' }] };
const draftOf = ({ name, dimensions, measures }: Rollup): Draft => ({ name, dimensions, measures });

interface RollupFormProps {
  modelId: string;
  names: Names;
  rollup: Rollup | undefined;
  close: () => void;
}

function RollupForm({ modelId, names, rollup, close }: RollupFormProps) {
  return (
    <PartForm<Rollup, Draft>
      modelId={modelId}
      noun="rollup"
      name={rollup?.name ?? ''}
      part={rollup}
      draft={rollup ? draftOf(rollup) : NEW}
      draftOf={draftOf}
      labels={{
        name: 'Name',
        dimensions: { label: 'Grouped by', write: (all: readonly Dimension[]) => dimensionsInWords(names, all) },
        measures: { label: 'Computes', write: (all: readonly Aggregate[]) => measuresInWords(names, all) },
      }}
      read={() => findPart(api.models.listRollups(modelId, { limit: PAGE }), rollup!, 'rollup')}
      save={({ name, dimensions, measures }, options) => {
        const body = { name: name.trim(), dimensions: [...dimensions], measures: [...measures] };
        return rollup
          ? api.models.updateRollup(modelId, rollup.id, body, options)
          : api.models.createRollup(modelId, body);
      }}
      remove={({ ifMatch }) => api.models.deleteRollup(modelId, rollup!.id, { ifMatch })}
      loses="Questions are answered from the rows again. This cannot be undone, except by restoring a version."
      close={close}
    >
      {({ draft, set, issue }) => (
        <>
          <Field
            label="Name"
            required
            maxLength={200}
            issue={issue('name')}
            value={draft.name}
            onInput={({ currentTarget: { value } }) => set({ name: value })}
          />
          {measureFields({ names, value: draft.measures, onChange: (measures) => set({ measures }), issue })}
          {dimensionFields({
            tables: names.tables,
            value: draft.dimensions,
            onChange: (dimensions) => set({ dimensions }),
            issue,
          })}
        </>
      )}
    </PartForm>
  );
}

type IssueOf = (member: string) => string | undefined;

interface MeasuresProps {
  names: Names;
  value: readonly Aggregate[];
  onChange(measures: readonly Aggregate[]): void;
  issue: IssueOf;
}

/** Measures of the model, and aggregates of fields. */
function measureFields({ names: { tables, measures }, value, onChange, issue }: MeasuresProps) {
  const replace = (at: number, next: Aggregate) => onChange(value.map((each, index) => (index === at ? next : each)));
  return (
    <fieldset class="field-group">
      <legend>What it computes</legend>
      <IssueText text={issue('measures')} />
      {value.map((each, index) => {
        const at = `measures/${index}`;
        return (
          <div class="condition-row" key={index}>
            <div class="beside-fields">
              <SelectField
                label={`Measure ${index + 1}`}
                required
                value={each.measureId ?? BY_FIELD}
                issue={issue(at) ?? issue(`${at}/measureId`)}
                onChange={({ currentTarget: { value: id } }) =>
                  replace(index, id === BY_FIELD ? { fieldId: '', aggregation: 'sum' } : { measureId: id })
                }
              >
                <option value="">choose a measure</option>
                <option value={BY_FIELD}>none: a field is aggregated</option>
                {measures.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </SelectField>
              {each.measureId === undefined && (
                <>
                  <FieldChoice
                    label={`Field of measure ${index + 1}`}
                    tables={tables}
                    value={each.fieldId ?? ''}
                    issue={issue(`${at}/fieldId`)}
                    choose={(fieldId) => replace(index, { ...each, fieldId })}
                  />
                  <SelectField
                    label={`Aggregation ${index + 1}`}
                    value={each.aggregation ?? ''}
                    issue={issue(`${at}/aggregation`)}
                    onChange={({ currentTarget: { value: aggregation } }) => {
                      const { aggregation: _former, ...others } = each;
                      replace(
                        index,
                        aggregation === ''
                          ? others
                          : { ...others, aggregation: aggregation as NonNullable<Aggregate['aggregation']> },
                      );
                    }}
                  >
                    <option value="">that of the field</option>
                    {AGGREGATIONS.map((name) => (
                      <option key={name} value={name}>
                        {name.replaceAll('_', ' ')}
                      </option>
                    ))}
                  </SelectField>
                </>
              )}
            </div>
            {value.length > 1 && (
              <Button
                isSmall
                look="plain"
                icon="x"
                onClick={() => onChange(value.filter((_each, other) => other !== index))}
              >
                Remove measure {index + 1}
              </Button>
            )}
          </div>
        );
      })}
      {value.length < MAX_MEASURES && (
        <Button isSmall icon="plus" onClick={() => onChange([...value, { measureId: '' }])}>
          Add measure
        </Button>
      )}
    </fieldset>
  );
}

/** In the place of a measure; no id looks like it. */
const BY_FIELD = 'field';

interface DimensionsProps {
  tables: readonly ModelTable[];
  value: readonly Dimension[];
  onChange(dimensions: readonly Dimension[]): void;
  issue: IssueOf;
}

/** Fields, and periods of times, that questions group and filter by. */
function dimensionFields({ tables, value, onChange, issue }: DimensionsProps) {
  const fields = tables.flatMap((table) => table.fields);
  const replace = (at: number, next: Dimension) => onChange(value.map((each, index) => (index === at ? next : each)));
  return (
    <fieldset class="field-group">
      <legend>What questions group and filter by</legend>
      <IssueText text={issue('dimensions')} />
      {value.map(({ fieldId, grain }, index) => {
        const at = `dimensions/${index}`;
        const field = fields.find(({ id }) => id === fieldId);
        return (
          <div class="condition-row" key={index}>
            <div class="beside-fields">
              <FieldChoice
                label={`Dimension ${index + 1}`}
                tables={tables}
                value={fieldId}
                issue={issue(at) ?? issue(`${at}/fieldId`)}
                choose={(id) => replace(index, { fieldId: id })}
              />
              {(grain !== undefined || (field && isTime(field))) && (
                <SelectField
                  label={`Periods of dimension ${index + 1}`}
                  value={grain ?? ''}
                  issue={issue(`${at}/grain`)}
                  onChange={({ currentTarget: { value: next } }) =>
                    replace(
                      index,
                      next === '' ? { fieldId } : { fieldId, grain: next as NonNullable<Dimension['grain']> },
                    )
                  }
                >
                  <option value="">each value</option>
                  {GRAINS.map((name) => (
                    <option key={name} value={name}>
                      {name}
                    </option>
                  ))}
                </SelectField>
              )}
            </div>
            <Button
              isSmall
              look="plain"
              icon="x"
              onClick={() => onChange(value.filter((_each, other) => other !== index))}
            >
              Remove dimension {index + 1}
            </Button>
          </div>
        );
      })}
      {value.length < MAX_DIMENSIONS && (
        <Button isSmall icon="plus" onClick={() => onChange([...value, { fieldId: '' }])}>
          Add dimension
        </Button>
      )}
    </fieldset>
  );
}

const IssueText = ({ text }: { text: string | undefined }) => (text === undefined ? null : <p class="issue">{text}</p>);
