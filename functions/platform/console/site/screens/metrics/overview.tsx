import { partText } from '../../../../../../shared/platform/text/percent-text.ts';
import type { Types } from '../../data/client.ts';
import {
  type Compare,
  type MetricDetails,
  type MetricValue,
  periodText,
  useMetricSeries,
  useMetricValue,
} from '../../data/metrics.ts';
import { problemOf } from '../../data/problem.ts';
import { amountText, changeText, tickText } from '../../ui/amount.ts';
import { dateIn } from '../../ui/date-in.ts';
import { Field, SelectField } from '../../ui/field.tsx';
import { dateText } from '../../ui/moment.ts';
import { Section } from '../../ui/page.tsx';
import { SeriesChart } from '../../ui/series-chart.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Change } from './change.tsx';

export interface ViewProps {
  metric: MetricDetails;
  query: Readonly<Record<string, string>>;
  show(change: Record<string, string>): void;
}

/** The value now, beside an earlier one and the target, and the values of the periods before. */
export function Overview({ metric, query, show }: ViewProps) {
  const { asOf = '' } = query;
  const compare = compareOf(query);
  const value = useMetricValue(metric.id, { asOf, compare });
  const series = useMetricSeries(metric.id, { asOf });
  return (
    <div class="metric" aria-busy={value.isRefreshing || undefined}>
      <Moment metric={metric} query={query} show={show} />
      {!value.data && value.error !== null && <Failed problem={problemOf(value.error)} retry={value.refresh} />}
      {value.isLoading && <Loading rows={3} />}
      {value.data && (
        <div class="metric-parts">
          <Section title={periodOf(metric, value.data)}>
            <Current value={value.data} compare={compare} grain={metric.grain} />
          </Section>
          {value.data.target && <Target target={value.data.target} value={value.data} />}
        </div>
      )}
      <Section title="Over time">
        {!series.data &&
          (series.error ? <Failed problem={problemOf(series.error)} retry={series.refresh} /> : <Loading rows={5} />)}
        {series.data && <Series name={metric.name} series={series.data} />}
      </Section>
    </div>
  );
}

export const compareOf = ({ compare }: Readonly<Record<string, string>>): Compare =>
  compare === 'year' ? 'same_period_last_year' : 'previous_period';

/** What is looked at: the moment, and what it is compared with. */
export const Moment = ({ metric, query, show }: ViewProps) => (
  <div class="filters">
    <SelectField
      label="Compared with"
      value={query.compare ?? ''}
      onChange={({ currentTarget: { value } }) => show({ compare: value })}
    >
      <option value="">the period before</option>
      <option value="year">the same period of last year</option>
    </SelectField>
    <Field
      label="As of"
      type="date"
      max={dateIn(Date.now(), metric.timezone)}
      value={query.asOf ?? ''}
      onChange={({ currentTarget: { value } }) => show({ asOf: value })}
    />
  </div>
);

const periodOf = ({ grain }: MetricDetails, { period, timezone }: MetricValue): string =>
  `${capital(periodText(period.from, grain, timezone))}${period.isComplete ? '' : ', so far'}`;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

interface CurrentProps {
  value: MetricValue;
  compare: Compare;
  grain: string;
}

function Current({ value, compare, grain }: CurrentProps) {
  const { comparison, format, timezone, period } = value;
  const part = period.isComplete ? '' : 'the same part of ';
  return (
    <>
      <p class="metric-value">
        {amountText(value.value, format)} <Change value={value} />
      </p>
      {value.value === null && <p class="hint">There is no value for this period.</p>}
      {comparison &&
        (comparison.value === null ? (
          <p class="hint">
            There is no value for {compare === 'previous_period' ? 'the period before' : 'last year'} to compare with.
          </p>
        ) : (
          <p class="hint">
            {amountText(comparison.value, format)} in {part}
            {periodText(comparison.period.from, grain, timezone)}
            {comparison.change !== null && (
              <>
                {' '}
                <span class="change">({changeText(comparison.change, format)})</span>
              </>
            )}
          </p>
        ))}
    </>
  );
}

const PACES: Readonly<Record<string, string>> = { ahead: 'Ahead of', on_track: 'On track for', behind: 'Behind' };

function Target({ target, value: { format } }: { target: Types.MetricTargetProgress; value: MetricValue }) {
  const { value, by, actual, progress, pace } = target;
  return (
    <Section title="Target">
      <p class="metric-value">
        {amountText(value, format)} <span class="hint">by {dateText(by)}</span>
      </p>
      {progress !== null && (
        <>
          <div>
            <meter
              min={0}
              max={100}
              value={Math.max(0, Math.min(100, progress * 100))}
              aria-label="Progress to the target"
            />
          </div>
          <p class="hint">
            {amountText(actual, format)} reached, {partText(progress)}
          </p>
        </>
      )}
      {!pace && progress === null && <p class="hint">It has not started yet.</p>}
      {pace && (
        <p class={pace.status === 'behind' ? 'pace behind' : 'pace'}>
          {PACES[pace.status] ?? pace.status} the target: {amountText(expectedOf(pace.expected), format)} expected by
          now, after {partText(pace.elapsed)} of the time.
        </p>
      )}
    </Section>
  );
}

/** A part of the target in proportion to the time has digits that say nothing: six of them do. */
const expectedOf = (expected: number): number =>
  Math.abs(expected) < 1e6 ? Number(expected.toPrecision(6)) : Math.round(expected);

function Series({ name, series: { points, grain, timezone, format } }: { name: string; series: Types.MetricSeries }) {
  if (points.every(({ value }) => value === null)) {
    return (
      <Empty icon="gauge" title="These periods have no values">
        Choose an earlier date above if the rows are older.
      </Empty>
    );
  }
  const shown = points.map(({ from, value, isComplete }) => ({
    label: periodText(from, grain, timezone),
    value: value === null ? null : Number(value),
    text: amountText(value, format),
    isOpen: !isComplete,
  }));
  return (
    <>
      <SeriesChart label={`${name} by ${grain}`} points={shown} tickText={(tick) => tickText(tick, format)} />
      <details class="series-table">
        <summary>Values</summary>
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Period</th>
              <th scope="col" class="number">
                Value
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.toReversed().map(({ label, text, isOpen }) => (
              <tr key={label}>
                <td>
                  {label}
                  {isOpen && ', so far'}
                </td>
                <td class="number">{text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}
