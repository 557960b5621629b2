import type { ComponentChildren } from 'preact';
import {
  AGGREGATIONS,
  columnOf,
  dimensionFor,
  type FormMark,
  GRAINS,
  MARKS,
  measureColumnOf,
  measureFor,
  rebuilt,
  type SourceColumn,
} from '../../data/chart-form.ts';
import type { Types } from '../../data/client.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Field, SelectField } from '../../ui/field.tsx';

interface ChartFieldsProps {
  spec: Types.ChartSpec;
  columns: readonly SourceColumn[];
  set: (spec: Types.ChartSpec) => void;
}

type Query = Types.ChartQuery;

const MAX_DIMENSIONS = 3;
const MAX_MEASURES = 5;

/** The parts of a chart that most people change. Its text has the others. */
export function ChartFields({ spec, columns, set }: ChartFieldsProps) {
  const { query, mark } = spec;
  const { dimensions = [], measures = [] } = query;
  const change = (next: Partial<Query>) => set(rebuilt(spec, { query: { ...query, ...next } }));
  const isMetric = query.source.kind === 'metric';
  const isKnown = mark.type in MARKS;
  return (
    <>
      <SelectField
        label="Shown as"
        value={mark.type}
        onChange={({ currentTarget }) => set(rebuilt(spec, { mark: currentTarget.value as FormMark }))}
      >
        {!isKnown && <option value={mark.type}>{mark.type}</option>}
        {Object.entries(MARKS).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      {isMetric ? (
        <Grain value={query.grain} label="Periods" set={(grain) => change(grain ? { grain } : {})} />
      ) : (
        <>
          <Dimensions columns={columns} dimensions={dimensions} query={query} change={change} />
          <Measures columns={columns} measures={measures} query={query} change={change} />
          <Order query={query} change={change} />
        </>
      )}
      <Field
        label="Rows at most"
        type="number"
        min={1}
        max={10_000}
        value={query.limit === undefined ? '' : String(query.limit)}
        onChange={({ currentTarget: { value } }) => {
          const { limit: _limit, ...others } = query;
          set(rebuilt(spec, { query: value === '' ? others : { ...others, limit: Number(value) } }));
        }}
      />
    </>
  );
}

interface PartsProps {
  columns: readonly SourceColumn[];
  query: Query;
  change: (next: Partial<Query>) => void;
}

const replaced = <T,>(list: readonly T[], at: number, part: T): T[] =>
  list.map((each, index) => (index === at ? part : each));
const without = <T,>(list: readonly T[], at: number): T[] => list.filter((_each, index) => index !== at);

function Dimensions({
  columns,
  dimensions,
  query,
  change,
}: PartsProps & { dimensions: readonly Types.ChartDimension[] }) {
  const offered = columns.filter(({ isMeasure }) => !isMeasure);
  return (
    <Parts
      title="Grouped by"
      add={
        dimensions.length < MAX_DIMENSIONS && offered[0]
          ? () => change({ dimensions: [...dimensions, dimensionFor(offered[0]!, query)] })
          : undefined
      }
    >
      {dimensions.map((part, at) => {
        const column = columnOf(columns, part);
        return (
          <div class="part" key={part.label ?? at}>
            <ColumnChoice
              label={`Group ${at + 1}`}
              columns={offered}
              column={column}
              name={part.label ?? part.expression ?? ''}
              choose={(next) => change({ dimensions: replaced(dimensions, at, dimensionFor(next, query)) })}
            />
            {part.grain !== undefined && (
              <Grain
                value={part.grain}
                label={`Periods of group ${at + 1}`}
                set={(grain) => {
                  const { grain: _grain, ...others } = part;
                  change({ dimensions: replaced(dimensions, at, grain ? { ...others, grain } : others) });
                }}
              />
            )}
            <IconButton
              icon="x"
              label={`Remove group ${at + 1}`}
              onClick={() => change({ dimensions: without(dimensions, at) })}
            />
          </div>
        );
      })}
    </Parts>
  );
}

function Measures({ columns, measures, query, change }: PartsProps & { measures: readonly Types.ChartMeasure[] }) {
  const first = columns.find(({ isMeasure, kind }) => isMeasure || kind === 'number') ?? columns[0];
  return (
    <Parts
      title="Numbers"
      add={
        measures.length < MAX_MEASURES && first
          ? () => change({ measures: [...measures, measureFor(first, query)] })
          : undefined
      }
    >
      {measures.map((part, at) => {
        const column = measureColumnOf(columns, part);
        return (
          <div class="part" key={part.label ?? at}>
            <ColumnChoice
              label={`Number ${at + 1}`}
              columns={columns}
              column={column}
              name={part.label ?? part.expression ?? ''}
              choose={(next) => change({ measures: replaced(measures, at, measureFor(next, query)) })}
            />
            {part.aggregation !== undefined && (
              <select
                aria-label={`Computed of number ${at + 1}`}
                value={part.aggregation}
                onChange={({ currentTarget }) => {
                  const aggregation = currentTarget.value as keyof typeof AGGREGATIONS;
                  change({ measures: replaced(measures, at, { ...part, aggregation }) });
                }}
              >
                {Object.entries(AGGREGATIONS).map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            )}
            <IconButton
              icon="x"
              label={`Remove number ${at + 1}`}
              onClick={() => change({ measures: without(measures, at) })}
            />
          </div>
        );
      })}
    </Parts>
  );
}

/** The order of the rows, by any of the columns of the chart. */
function Order({ query, change }: Pick<PartsProps, 'query' | 'change'>) {
  const labels = [...(query.dimensions ?? []), ...(query.measures ?? [])].flatMap(({ label }) => label ?? []);
  const { column, direction = 'asc' } = query.sort?.[0] ?? {};
  if (labels.length === 0) return null;
  return (
    <SelectField
      label="Order"
      value={column === undefined ? '' : `${direction} ${column}`}
      onChange={({ currentTarget: { value } }) => {
        const [, way = 'asc', name = ''] = /^(asc|desc) (.*)$/s.exec(value) ?? [];
        change({ sort: value === '' ? [] : [{ column: name, direction: way as 'asc' }] });
      }}
    >
      <option value="">unsorted</option>
      {labels.flatMap((label) => [
        <option key={`asc ${label}`} value={`asc ${label}`}>
          {label}, rising
        </option>,
        <option key={`desc ${label}`} value={`desc ${label}`}>
          {label}, falling
        </option>,
      ])}
    </SelectField>
  );
}

const Parts = ({
  title,
  add,
  children,
}: {
  title: string;
  add: (() => void) | undefined;
  children: ComponentChildren;
}) => (
  <fieldset class="parts">
    <legend>{title}</legend>
    {children}
    {add && (
      <Button isSmall look="plain" icon="plus" onClick={add}>
        Add
      </Button>
    )}
  </fieldset>
);

interface ColumnChoiceProps {
  label: string;
  columns: readonly SourceColumn[];
  /** Undefined for what the form cannot name, such as an expression. */
  column: SourceColumn | undefined;
  name: string;
  choose: (column: SourceColumn) => void;
}

const ColumnChoice = ({ label, columns, column, name, choose }: ColumnChoiceProps) => (
  <select
    aria-label={label}
    value={column?.key ?? ''}
    onChange={({ currentTarget }) => {
      const next = columns.find(({ key }) => key === currentTarget.value);
      if (next) choose(next);
    }}
  >
    {!column && <option value="">{name}</option>}
    {columns.map(({ key, label: title }) => (
      <option key={key} value={key}>
        {title}
      </option>
    ))}
  </select>
);

interface GrainProps {
  label: string;
  value: string | undefined;
  set: (grain: (typeof GRAINS)[number] | undefined) => void;
}

const Grain = ({ label, value, set }: GrainProps) => (
  <select
    aria-label={label}
    value={value ?? ''}
    onChange={({ currentTarget }) => set((currentTarget.value || undefined) as (typeof GRAINS)[number] | undefined)}
  >
    <option value="">each value</option>
    {value !== undefined && !GRAINS.includes(value as 'day') && <option value={value}>{value}</option>}
    {GRAINS.map((grain) => (
      <option key={grain} value={grain}>
        by {grain}
      </option>
    ))}
  </select>
);
