import { changePercentText } from '../../../../../../shared/platform/text/percent-text.ts';
import type { Types } from '../../data/client.ts';
import { useMetricDrivers } from '../../data/metrics.ts';
import { type Field, fieldName, useTables } from '../../data/models.ts';
import { problemOf } from '../../data/problem.ts';
import { amountText, changeText } from '../../ui/amount.ts';
import { SelectField } from '../../ui/field.tsx';
import { counted } from '../../ui/format.ts';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { compareOf, Moment, type ViewProps } from './overview.tsx';

/** Which values of a dimension the change comes from. */
export function Drivers({ metric, query, show }: ViewProps) {
  const tables = useTables(metric.modelId).data;
  const by = query.by ?? '';
  const { data, error, refresh, isLoading } = useMetricDrivers(metric.id, by, {
    asOf: query.asOf ?? '',
    compare: compareOf(query),
  });
  return (
    <div class="metric">
      <div class="filters">
        <SelectField label="By" value={by} onChange={({ currentTarget: { value } }) => show({ by: value })}>
          <option value="">choose a dimension</option>
          {tables?.flatMap(({ fields }) =>
            fields.filter(mayExplain).map(({ id }) => (
              <option key={id} value={id}>
                {fieldName(tables, id)}
              </option>
            )),
          )}
        </SelectField>
        <Moment metric={metric} query={query} show={show} />
      </div>
      {by === '' && (
        <Empty icon="chart-column" title="Choose a dimension">
          The change of the metric is split by its values, such as by region.
        </Empty>
      )}
      {by !== '' && !data && error !== null && <Failed problem={problemOf(error)} retry={refresh} />}
      {by !== '' && isLoading && <Loading rows={6} />}
      {by !== '' && data && <Found drivers={data} />}
    </div>
  );
}

const mayExplain = ({ fieldType, isHidden, missing }: Field): boolean =>
  fieldType !== 'measure' && !isHidden && !missing;

function Found({ drivers }: { drivers: Types.MetricDrivers }) {
  const { total, format, items, rest, restCount, additive, truncated } = drivers;
  const rows: Row[] = [
    ...items.map((item, index) => ({ ...item, key: String(index), name: nameOf(item.value) })),
    ...(rest && restCount > 0
      ? [{ ...rest, key: 'rest', name: `${truncated ? 'at least ' : ''}${counted(restCount, 'other value')}` }]
      : []),
  ];
  if (rows.length === 0) return <Empty icon="gauge" title="There are no rows in either period" />;
  return (
    <>
      <p>
        From {amountText(total.previous, format)} to {amountText(total.current, format)}
        {total.change !== null && `, ${changeText(total.change, format)}`}
        {total.changePct !== null && ` (${changePercentText(total.changePct)})`}.
      </p>
      <Table
        label="What moved it"
        columns={columnsOf(format, additive === 'full')}
        rows={rows}
        keyOf={({ key }) => key}
      />
      {truncated && (
        <p class="hint">
          The dimension has too many values to compare all of them. Those that were not compared count as other values.
        </p>
      )}
      {additive === 'none' && (
        <p class="hint">The parts of this metric do not add up to it, so each is compared on its own.</p>
      )}
    </>
  );
}

type Row = Omit<Types.MetricDriver, 'value'> & { key: string; name: string };

const nameOf = (value: string | number | boolean | null): string =>
  value === null ? 'no value' : value === '' ? 'empty text' : String(value);

const columnsOf = (format: Types.MeasureFormat | null, isAdditive: boolean): readonly Column<Row>[] => [
  { id: 'name', label: 'Value', cell: ({ name }) => name },
  {
    id: 'before',
    label: 'Before',
    isNumber: true,
    isMinor: true,
    cell: ({ previous }) => amountText(previous, format),
  },
  { id: 'now', label: 'Now', isNumber: true, cell: ({ current }) => amountText(current, format) },
  { id: 'change', label: 'Change', isNumber: true, cell: ({ change }) => changeText(change, format) },
  ...(isAdditive
    ? [
        {
          id: 'share',
          label: 'Of the total before',
          isNumber: true,
          isMinor: true,
          cell: ({ contributionPct }: Row) => (contributionPct === null ? '–' : changePercentText(contributionPct)),
        },
      ]
    : []),
];
