import type { Static } from 'typebox';
import {
  type AskedRecord,
  metricAnomalies,
  metricDrivers,
  metricSeries,
  metricValue,
  momentOf,
  showFormat,
} from '../../../../shared/domains/semantics/metrics/index.ts';
import { canonicalTimezone } from '../../../../shared/domains/semantics/queries/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { MetricDeps } from '../use-cases/context.ts';
import { findMetric } from '../use-cases/find-metric.ts';
import type {
  AnomaliesQuery,
  DriversQuery,
  MetricAnomalies,
  MetricDrivers,
  MetricSeries,
  MetricValue,
  SeriesQuery,
  ValueQuery,
} from './schemas.ts';

interface Reading {
  principal: Principal;
  id: string;
  timezone?: string | undefined;
  timeoutMs: number;
}

export async function readValue(
  deps: MetricDeps,
  { asOf, compare, includePartial, ...reading }: Reading & Static<typeof ValueQuery>,
): Promise<MetricValue> {
  const asked = await askedMetric(deps, reading);
  const value = await metricValue(deps, asked, {
    asOf: askedMoment(deps, asOf, asked.timezone),
    compare,
    includePartial,
  });
  return { ...shared(asked), direction: asked.metric.direction, ...value };
}

export async function readSeries(
  deps: MetricDeps,
  { from, to, asOf, grain, fill, ...reading }: Reading & Static<typeof SeriesQuery>,
): Promise<MetricSeries> {
  if (to !== undefined && asOf !== undefined) {
    const message = 'cannot be given together with `to`; remove one';
    throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/query/asOf', code: 'CONFLICT', message }] });
  }
  const asked = await askedMetric(deps, reading);
  const series = await metricSeries(deps, asked, {
    from,
    to,
    grain: grain ?? asked.metric.grain,
    fill,
    now: asOf === undefined ? deps.now() : askedMoment(deps, asOf, asked.timezone),
    endsNow: asOf !== undefined,
  });
  return { ...shared(asked), fill, ...series };
}

export async function readDrivers(
  deps: MetricDeps,
  { by, compare, asOf, includePartial, limit, ...reading }: Reading & Static<typeof DriversQuery>,
): Promise<MetricDrivers> {
  const asked = await askedMetric(deps, reading);
  const at = askedMoment(deps, asOf, asked.timezone);
  const drivers = await metricDrivers(deps, asked, { by, compare, asOf: at, includePartial, limit });
  return { ...shared(asked), by, asOf: at.toISOString(), ...drivers };
}

export async function readAnomalies(
  deps: MetricDeps,
  { from, to, grain, threshold, ...reading }: Reading & Static<typeof AnomaliesQuery>,
): Promise<MetricAnomalies> {
  const asked = await askedMetric(deps, reading);
  const periods = { from, to, grain: grain ?? asked.metric.grain, now: deps.now() };
  return { ...shared(asked), ...(await metricAnomalies(deps, asked, { ...periods, threshold })) };
}

async function askedMetric(deps: MetricDeps, { principal, id, timezone, timeoutMs }: Reading): Promise<AskedRecord> {
  const { workspaceId } = principal;
  const metric = await findMetric(deps, { workspaceId, id });
  const definition = await deps.definitions.read({ workspaceId, modelId: metric.modelId });
  const zone = timezone === undefined ? metric.timezone : zoneOf(timezone);
  return { definition, metric, principal, timezone: zone, timeoutMs };
}

/** The zone of the query of the request. */
function zoneOf(name: string): string {
  try {
    return canonicalTimezone(name);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const errors = error.errors.map((issue) => ({ ...issue, pointer: '/query/timezone' }));
    throw new AppError('VALIDATION_FAILED', { errors, cause: error });
  }
}

const shared = ({ metric, definition, timezone }: AskedRecord) => ({
  metricId: metric.id,
  format: showFormat(metric, definition),
  timezone,
});

function askedMoment({ now }: Pick<MetricDeps, 'now'>, asOf: string | undefined, timezone: string): Date {
  const at = momentOf(asOf, { timezone, now: now() });
  if (at instanceof Date) return at;
  throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/query/asOf', ...at }] });
}
