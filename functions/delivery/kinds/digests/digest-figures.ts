import {
  formatAmount,
  type MetricRecord,
  type MetricValue,
} from '../../../../shared/domains/semantics/metrics/index.ts';
import type { Figure } from '../../../../shared/platform/mail/compose.ts';
import { partText, percentText } from '../../../../shared/platform/text/percent-text.ts';

type Line = Figure['lines'][number];
type Described = Pick<MetricRecord, 'name' | 'grain' | 'timezone' | 'direction' | 'format'>;

/** What an email says of the value of a metric. */
export function figureOf(metric: Described, { value, period, comparison, target }: MetricValue): Figure {
  const soFar = period.isComplete ? '' : ' so far';
  const lines: Line[] = [{ text: capitalized(`${periodName(metric, period.from)}${soFar}`), tone: 'plain' }];
  if (comparison) lines.push(changeLine(metric, comparison, period.isComplete));
  if (target) lines.push(targetLine(metric, target));
  return { name: metric.name, value: formatAmount(value, metric.format), lines };
}

export const unavailableFigure = ({ name }: Pick<MetricRecord, 'name'>, reason: string): Figure => ({
  name,
  value: '–',
  lines: [{ text: reason, tone: 'plain' }],
});

function changeLine(
  metric: Described,
  { change, changePct, value, period }: NonNullable<MetricValue['comparison']>,
  isComplete: boolean,
): Line {
  const earlier = `${isComplete ? '' : 'the same part of '}${periodName(metric, period.from)}`;
  if (change === null) return { text: `No value to compare with in ${earlier}`, tone: 'plain' };
  const size = Number(change);
  if (size === 0) return { text: `No change from ${earlier}`, tone: 'plain' };
  const by = changePct === null ? formatAmount(change, metric.format) : percentText(Math.abs(changePct));
  const text = `${size > 0 ? '▲' : '▼'} ${by} from ${formatAmount(value, metric.format)} in ${earlier}`;
  return { text, tone: size > 0 === (metric.direction === 'up_good') ? 'good' : 'bad' };
}

const PACE = { ahead: 'ahead', on_track: 'on track', behind: 'behind' } as const;
const PACE_TONES = { ahead: 'good', on_track: 'plain', behind: 'bad' } as const;

function targetLine(metric: Described, { value, by, progress, pace }: NonNullable<MetricValue['target']>): Line {
  const goal = `the target of ${formatAmount(value, metric.format)} by ${dayName(Date.parse(`${by}T00:00:00Z`), 'UTC')}`;
  const reached = progress === null ? `Target: ${goal.slice(4)}` : `${partText(progress)} of ${goal}`;
  return pace
    ? { text: `${reached}, ${PACE[pace.status]}`, tone: PACE_TONES[pace.status] }
    : { text: reached, tone: 'plain' };
}

/** The period that begins at the instant, as people call it. */
export function periodName({ grain, timezone }: Pick<Described, 'grain' | 'timezone'>, from: string): string {
  const at = Date.parse(from);
  if (grain === 'day') return dayName(at, timezone);
  if (grain === 'week') return `the week of ${dayName(at, timezone)}`;
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: timezone, ...options }).format(at);
  if (grain === 'month') return part({ month: 'long', year: 'numeric' });
  if (grain === 'year') return part({ year: 'numeric' });
  return `Q${Math.ceil(Number(part({ month: 'numeric' })) / 3)} ${part({ year: 'numeric' })}`;
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const dayName = (at: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'long', year: 'numeric' }).format(at);
