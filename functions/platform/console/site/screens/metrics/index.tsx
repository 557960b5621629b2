import { useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { api } from '../../data/client.ts';
import { useList } from '../../data/list.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { type Member, useMembers } from '../../data/members.ts';
import { type Metric, periodText, useMetricSeries, useMetricValue } from '../../data/metrics.ts';
import { problemOf } from '../../data/problem.ts';
import { ListTable } from '../../shell/list-table.tsx';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { amountText, shortAmountText } from '../../ui/amount.ts';
import { SelectField } from '../../ui/field.tsx';
import { counted } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Mark } from '../../ui/mark.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { useSeen } from '../../ui/seen.ts';
import { Sparkline } from '../../ui/sparkline.tsx';
import { Empty } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { Change } from './change.tsx';

type Sort = NonNullable<NonNullable<Parameters<typeof api.metrics.list>[0]>['sort']>;

/** All metrics of the workspace with their latest values. */
export default function Metrics({ query: { q = '', certified = '', sort = '' } }: ScreenProps) {
  const { route } = useLocation();
  const canMake = hasRole(useMe().data, 'editor');
  const members = useMembers();
  const filters = {
    ...(q && { search: q }),
    ...(certified && { isCertified: certified === 'yes' }),
    ...(sort && { sort: sort as Sort }),
  };
  const list = useList<Metric>(['metrics', 'list', filters], (place) => api.metrics.list({ ...filters, ...place }), {
    keepsLast: true,
  });
  const { items, total } = list;
  const show = (change: Record<string, string>) => route(to('/metrics', { q, certified, sort, ...change }), true);
  const isFiltered = Boolean(q || certified);
  const isEmpty = items?.length === 0 && !isFiltered;
  const make = canMake && (
    <Link to="/metrics/new" class="button main">
      <Icon name="plus" size={16} />
      New metric
    </Link>
  );
  return (
    <Page
      title="Metrics"
      lead={total !== undefined && total > 0 && counted(total, 'metric')}
      actions={
        <>
          <Link to="/metrics/digests" class="button">
            <Icon name="bell" size={16} />
            Digests
          </Link>
          {!isEmpty && make}
        </>
      }
    >
      {!isEmpty && (
        <div class="filters">
          <SearchField label="Search metrics" value={q} onSearch={(text) => show({ q: text })} />
          <SelectField
            label="Certification"
            value={certified}
            onChange={({ currentTarget: { value } }) => show({ certified: value })}
          >
            <option value="">all</option>
            <option value="yes">certified</option>
            <option value="no">not certified</option>
          </SelectField>
        </div>
      )}
      <ListTable
        label="Metrics"
        columns={columnsOf(members)}
        list={list}
        bars={8}
        keyOf={({ id }) => id}
        sort={sort || '-updatedAt'}
        onSort={(next) => show({ sort: next === '-updatedAt' ? '' : next })}
      >
        <Empty
          icon="gauge"
          title={isFiltered ? 'No metric matches' : 'There are no metrics yet'}
          action={!isFiltered && make}
        >
          {isFiltered
            ? 'Try a part of the name, or another certification.'
            : 'A metric is a measure of a model that is followed over time, such as revenue by month.'}
        </Empty>
      </ListTable>
    </Page>
  );
}

const columnsOf = (members: ReadonlyMap<string, Member> | undefined): readonly Column<Metric>[] => [
  {
    id: 'name',
    label: 'Name',
    sort: 'name',
    cell: ({ id, name, isCertified, deprecation }) => (
      <span class="named">
        <Link to={`/metrics/${id}`}>{name}</Link>
        {isCertified && <Mark kind="certified" />}
        {deprecation && <Mark kind="deprecated" />}
      </span>
    ),
  },
  { id: 'value', label: 'Latest value', width: '230px', isNumber: true, cell: (metric) => <Latest metric={metric} /> },
  { id: 'trend', label: 'Trend', width: '150px', isMinor: true, cell: (metric) => <Trend metric={metric} /> },
  {
    id: 'owner',
    label: 'Owner',
    width: '150px',
    isMinor: true,
    cell: ({ ownerId }) => members?.get(ownerId)?.name ?? <span class="hint">–</span>,
  },
  {
    id: 'changed',
    label: 'Changed',
    width: '130px',
    sort: 'updatedAt',
    isLargestFirst: true,
    isMinor: true,
    cell: ({ updatedAt }) => <Ago at={updatedAt} />,
  },
];

/** Read when the row is looked at, because each value is a query. */
function Latest({ metric: { id, grain } }: { metric: Metric }) {
  const place = useRef<HTMLSpanElement>(null);
  const { data, error, isLoading } = useMetricValue(id, { enabled: useSeen(place) });
  return (
    <span ref={place} class="latest" aria-busy={isLoading || undefined}>
      {data && (
        <>
          <span
            title={`${amountText(data.value, data.format)}, ${periodText(data.period.from, grain, data.timezone)}${data.period.isComplete ? '' : ' so far'}`}
          >
            {shortAmountText(data.value, data.format)}
          </span>{' '}
          <Change value={data} />
        </>
      )}
      {!data && error !== null && <span title={problemOf(error).sentence}>not available</span>}
    </span>
  );
}

function Trend({ metric: { id, name } }: { metric: Metric }) {
  const place = useRef<HTMLSpanElement>(null);
  const { data } = useMetricSeries(id, { enabled: useSeen(place) });
  const known = data?.points.filter(({ value }) => value !== null) ?? [];
  return (
    <span ref={place} class="trend">
      {data && known.length > 0 && (
        <Sparkline
          values={data.points.map(({ value }) => (value === null ? null : Number(value)))}
          label={`${name}, the last ${counted(data.points.length, data.grain)}: from ${amountText(known[0]!.value, data.format)} to ${amountText(known.at(-1)!.value, data.format)}`}
        />
      )}
    </span>
  );
}
