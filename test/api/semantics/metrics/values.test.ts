import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { givenField, givenTable, issuesOf, posted } from '../../../support/given/model.ts';

const read = async (api: Api, path: string) => {
  const reply = await api.as('viewer').get(path);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body;
};

describe('the value of a metric', () => {
  it('is that of the current period, beside the same part of the period before', async ({ api }) => {
    const { definition } = await givenSalesModel(api);
    const { id, path } = await givenMetric(api, { ...definition, format: { kind: 'currency', currency: 'EUR' } });
    expect(await read(api, `${path}/value?asOf=2024-03-10T12:00:00Z`)).toEqual({
      metricId: id,
      timezone: 'UTC',
      type: 'decimal',
      format: { kind: 'currency', currency: 'EUR' },
      value: '150.00',
      period: {
        from: '2024-03-01T00:00:00.000Z',
        to: '2024-04-01T00:00:00.000Z',
        through: '2024-03-10T12:00:00.000Z',
        isComplete: false,
      },
      comparison: {
        value: '80.00',
        period: {
          from: '2024-02-01T00:00:00.000Z',
          to: '2024-03-01T00:00:00.000Z',
          through: '2024-02-10T12:00:00.000Z',
          isComplete: false,
        },
        change: '70.00',
        changePct: 87.5,
      },
      target: null,
      direction: 'up_good',
      asOf: '2024-03-10T12:00:00.000Z',
      dataAsOf: expect.any(String),
      cache: 'miss',
    });
    const again = await read(api, `${path}/value?asOf=2024-03-10T12:00:00Z`);
    expect(again).toMatchObject({ value: '150.00', cache: 'hit' });
  });

  it('is that of the newest complete period on demand', async ({ api }) => {
    const { definition } = await givenSalesModel(api);
    const { path } = await givenMetric(api, definition);
    const value = await read(api, `${path}/value?asOf=2024-03-10T12:00:00Z&includePartial=false`);
    expect(value).toMatchObject({
      value: '147.00',
      period: { from: '2024-02-01T00:00:00.000Z', through: '2024-03-01T00:00:00.000Z', isComplete: true },
      comparison: { value: '150.00', period: { isComplete: true }, change: '-3.00', changePct: -2 },
    });
  });

  it('has periods that begin in the zone of the metric, or of the request', async ({ api }) => {
    const { definition } = await givenSalesModel(api);
    const { path } = await givenMetric(api, { ...definition, timezone: 'Europe/Berlin' });
    const query = 'asOf=2024-03-02T00:00:00Z&compare=none';
    expect(await read(api, `${path}/value?${query}`)).toMatchObject({
      value: '7.00',
      timezone: 'Europe/Berlin',
      period: { from: '2024-02-29T23:00:00.000Z', to: '2024-03-31T22:00:00.000Z' },
      comparison: null,
    });
    expect(await read(api, `${path}/value?${query}&timezone=UTC`)).toMatchObject({ value: null, timezone: 'UTC' });
  });

  it('of dates counts the current day as a whole', async ({ api }) => {
    const { definition, fields } = await givenSalesModel(api);
    const { path } = await givenMetric(api, { ...definition, timeFieldId: fields.day });
    expect(await read(api, `${path}/value?asOf=2024-03-10T01:00:00Z`)).toMatchObject({
      value: '150.00',
      period: { through: '2024-03-11T00:00:00.000Z' },
      comparison: { value: '100.00', period: { through: '2024-02-11T00:00:00.000Z' } },
    });
  });

  it('has its filters, and may aggregate a field', async ({ api }) => {
    const { definition, fields } = await givenSalesModel(api);
    const field = { measureId: null, fieldId: fields.amount, aggregation: 'max' };
    const filters = [{ fieldId: fields.region, op: 'eq', values: ['us'] }];
    const { path } = await givenMetric(api, { ...definition, ...field, filters });
    expect(await read(api, `${path}/value?asOf=2024-03-10T12:00:00Z&compare=same_period_last_year`)).toMatchObject({
      value: '90.00',
      comparison: { value: null, change: null, changePct: null, period: { from: '2023-03-01T00:00:00.000Z' } },
    });
  });

  it('shows how much of the target is reached, and whether that is enough by now', async ({ api }) => {
    const { definition, average } = await givenSalesModel(api);
    const target = { value: 300, from: '2024-01-01', by: '2024-03-31' };
    const { path } = await givenMetric(api, { ...definition, target });
    const value = await read(api, `${path}/value?asOf=2024-02-15T12:00:00Z`);
    expect(value.target).toMatchObject({ ...target, actual: '250.00', pace: { elapsed: 0.5, expected: 150 } });
    expect(value.target.progress).toBeCloseTo(250 / 300, 10);
    expect(value.target.pace.status).toBe('ahead');
    const mean = await givenMetric(api, { ...definition, name: 'mean', measureId: average, target });
    const { target: reached } = await read(api, `${mean.path}/value?asOf=2024-02-15T12:00:00Z`);
    expect(reached).toMatchObject({ actual: 62.5, pace: { expected: 300, status: 'behind' } });
  });

  it('is not of the future', async ({ api }) => {
    const { definition } = await givenSalesModel(api);
    const { path } = await givenMetric(api, definition);
    const reply = await api.as('viewer').get(`${path}/value?asOf=2999-01-01T00:00:00Z`);
    expect(issuesOf(reply)).toEqual(['/query/asOf IN_FUTURE']);
    const zone = await api.as('viewer').get(`${path}/value?timezone=Mars`);
    expect(issuesOf(zone)).toEqual(['/query/timezone UNKNOWN_TIMEZONE']);
  });
});

describe('the series of a metric', () => {
  it('has a point for each period, also for those without rows', async ({ api }) => {
    const { definition } = await givenSalesModel(api);
    const { path } = await givenMetric(api, definition);
    const series = await read(api, `${path}/series?from=2023-12-15&to=2024-03-31`);
    expect(series).toMatchObject({ grain: 'month', fill: 'null', type: 'decimal', timezone: 'UTC' });
    expect(series.points).toEqual([
      {
        date: '2023-12-01',
        from: '2023-12-01T00:00:00.000Z',
        to: '2024-01-01T00:00:00.000Z',
        value: null,
        isComplete: true,
      },
      expect.objectContaining({ date: '2024-01-01', value: '150.00' }),
      expect.objectContaining({ date: '2024-02-01', value: '147.00' }),
      expect.objectContaining({ date: '2024-03-01', value: '161.00' }),
    ]);
  });

  it('is grouped and filled as requested', async ({ api }) => {
    const { definition } = await givenSalesModel(api);
    const { path } = await givenMetric(api, definition);
    const values = async (query: string) => {
      const { points } = await read(api, `${path}/series?from=2024-01-08&to=2024-01-31&${query}`);
      return points.map(({ date, value }: { date: string; value: unknown }) => `${date} ${value}`);
    };
    expect(await values('grain=week')).toEqual([
      '2024-01-08 100.00',
      '2024-01-15 null',
      '2024-01-22 50.00',
      '2024-01-29 null',
    ]);
    expect((await values('grain=week&fill=zero'))[1]).toBe('2024-01-15 0');
    expect((await values('grain=week&fill=previous'))[1]).toBe('2024-01-15 100.00');
    expect(await values('grain=day')).toHaveLength(24);
    expect(await values('grain=year')).toEqual(['2024-01-01 458.00']);
  });

  it('has periods of the requested zone', async ({ api }) => {
    const { definition } = await givenSalesModel(api);
    const { path } = await givenMetric(api, definition);
    const values = async (zone: string) => {
      const { points } = await read(api, `${path}/series?from=2024-02-01&to=2024-03-31&timezone=${zone}`);
      return points.map(({ value }: { value: unknown }) => value);
    };
    expect(await values('UTC')).toEqual(['147.00', '161.00']);
    expect(await values('Europe/Berlin')).toEqual(['140.00', '168.00']);
  });

  it('ends with the value of a moment, from the rows before it', async ({ api }) => {
    const { definition } = await givenSalesModel(api);
    const { path } = await givenMetric(api, definition);
    const { points } = await read(api, `${path}/series?from=2024-02-01&asOf=2024-03-10T12:00:00Z`);
    expect(points).toMatchObject([
      { date: '2024-02-01', value: '147.00', isComplete: true },
      { date: '2024-03-01', value: '150.00', to: '2024-04-01T00:00:00.000Z', isComplete: false },
    ]);
    const month = await read(api, `${path}/series?from=2024-02-01&asOf=2024-03-10&grain=day`);
    expect(month.points.at(-1)).toMatchObject({ date: '2024-03-10' });
    const wrong = async (query: string) => issuesOf(await api.as('viewer').get(`${path}/series?${query}`));
    expect(await wrong('to=2024-03-10&asOf=2024-03-10')).toEqual(['/query/asOf CONFLICT']);
    expect(await wrong('asOf=someday...')).toEqual(['/query/asOf FORMAT']);
    expect(await wrong('asOf=2999-01-01')).toEqual(['/query/asOf IN_FUTURE']);
    expect(await wrong('from=2024-04-01&asOf=2024-03-10')).toEqual(['/query/from ORDER']);
  });

  it('has a limited number of periods', async ({ api }) => {
    const { definition } = await givenSalesModel(api);
    const { path } = await givenMetric(api, definition);
    expect(issuesOf(await api.as('viewer').get(`${path}/series?from=1990-01-01&grain=day`))).toEqual([
      '/query/from TOO_MANY',
    ]);
    expect(issuesOf(await api.as('viewer').get(`${path}/series?from=2024-02-01&to=2024-01-01`))).toEqual([
      '/query/to ORDER',
    ]);
  });
});

describe('the drivers of a metric', () => {
  it('add up to its change', async ({ api }) => {
    const { definition, fields } = await givenSalesModel(api);
    const { path } = await givenMetric(api, definition);
    const query = `by=${fields.region}&asOf=2024-04-10T00:00:00Z&includePartial=false`;
    const drivers = await read(api, `${path}/drivers?${query}`);
    expect(drivers).toMatchObject({
      by: fields.region,
      additive: 'full',
      total: { current: '161.00', previous: '147.00', change: '14.00' },
      period: { from: '2024-03-01T00:00:00.000Z', isComplete: true },
      comparedWith: { from: '2024-02-01T00:00:00.000Z', isComplete: true },
      items: [
        { value: 'us', current: '90.00', previous: '60.00', contribution: '30.00' },
        { value: 'eu', current: '60.00', previous: '87.00', contribution: '-27.00' },
        { value: null, current: '11.00', previous: 0, contribution: '11.00' },
      ],
      rest: null,
      restCount: 0,
      truncated: false,
    });
    const short = await read(api, `${path}/drivers?${query}&limit=1`);
    expect(short).toMatchObject({ items: [{ value: 'us' }], rest: { contribution: '-16.00' }, restCount: 2 });
  });

  it('have no contributions where parts do not add up', async ({ api }) => {
    const { definition, fields, average } = await givenSalesModel(api);
    const { path } = await givenMetric(api, { ...definition, measureId: average });
    const query = `by=${fields.region}&asOf=2024-04-10T00:00:00Z&includePartial=false&limit=1`;
    expect(await read(api, `${path}/drivers?${query}`)).toMatchObject({
      additive: 'none',
      items: [{ value: 'us', current: 90, previous: 30, change: 60, changePct: 200, contribution: null }],
      rest: null,
      restCount: 2,
    });
  });

  it('are the values of a field of the model', async ({ api }) => {
    const { definition, path: model } = await givenSalesModel(api);
    const { path } = await givenMetric(api, definition);
    const reply = await api.as('viewer').get(`${path}/drivers?by=${definition.modelId}`);
    expect(issuesOf(reply)[0]).toMatch('/query/by');
    const lone = await givenField(api, (await givenTable(api, model, 'sales', 'others')).path, 'region');
    expect(await api.as('viewer').get(`${path}/drivers?by=${lone}`)).toMatchObject({
      status: 422,
      body: { code: 'QUESTION_UNANSWERABLE' },
    });
  });
});

describe('a metric of a measure over time', () => {
  /** Revenue is 150 in January, 147 in February and 161 in March 2024. */
  async function givenOverTime(api: Api, expression: string, more: object = {}) {
    const sales = await givenSalesModel(api);
    const { id: measureId } = await posted(api, `/api/models/${sales.modelId}/measures`, {
      name: 'Over time',
      expression,
    });
    const metric = await givenMetric(api, { ...sales.definition, name: 'Over time', measureId, ...more });
    return { ...sales, ...metric };
  }

  it('has the value of each period, compared with the one before as far as both have gone', async ({ api }) => {
    const { path, fields } = await givenOverTime(api, "PRIOR({Revenue}, 'month')");
    expect(await read(api, `${path}/value?asOf=2024-03-31T23:59:00Z`)).toMatchObject({
      value: '147.00',
      comparison: { value: '150.00', change: '-3.00' },
    });
    // Until noon of 10 March: what there was until noon of 10 February.
    expect(await read(api, `${path}/value?asOf=2024-03-10T12:00:00Z`)).toMatchObject({ value: '80.00' });
    const series = await read(api, `${path}/series?from=2024-01-01&to=2024-04-30`);
    expect(series.points.map(({ value }: { value: string | null }) => value)).toEqual([
      null,
      '150.00',
      '147.00',
      '161.00',
    ]);
    const drivers = await read(api, `${path}/drivers?by=${fields.region}&asOf=2024-03-31T23:59:00Z`);
    expect(drivers).toMatchObject({ additive: 'none', total: { current: '147.00', previous: '150.00' } });
    const byRegion = Object.fromEntries(
      drivers.items.map((item: { value: string; current: string; previous: string }) => [
        item.value,
        [item.current, item.previous],
      ]),
    );
    expect(byRegion).toEqual({ eu: ['87.00', '150.00'], us: ['60.00', null], null: [null, null] });
    const years = await api.as('viewer').get(`${path}/series?from=2024-01-01&to=2024-04-30&grain=year`);
    expect(years).toMatchObject({ status: 400, body: { errors: [{ pointer: '/query/grain', code: '5005' }] } });
  });

  it('accumulates from the beginning of the longer period, and towards a target', async ({ api }) => {
    const target = { value: 400, from: '2024-01-01', by: '2024-12-31' };
    const { path, modelId, definition } = await givenOverTime(api, "CUMULATIVE({Revenue}, 'year')", { target });
    expect(await read(api, `${path}/value?asOf=2024-03-10T12:00:00Z`)).toMatchObject({
      value: '447.00',
      comparison: { value: '230.00' },
      target: { actual: '447.00' },
    });
    expect(await read(api, `${path}/value?asOf=2024-05-10T12:00:00Z`)).toMatchObject({ value: '458.00' });
    const series = await read(api, `${path}/series?from=2024-02-01&to=2024-04-30`);
    expect(series.points.map(({ value }: { value: string }) => value)).toEqual(['297.00', '458.00', '458.00']);
    const expression = 'CUMULATIVE({Revenue})';
    const { id: measureId } = await posted(api, `/api/models/${modelId}/measures`, { name: 'Ever', expression });
    const ever = await givenMetric(api, { ...definition, name: 'Ever', measureId });
    expect(await read(api, `${ever.path}/value?asOf=2024-02-29T23:59:00Z`)).toMatchObject({
      value: '297.00',
      comparison: { value: '150.00' },
    });
  });

  it('looks back from each period over several, as far as each has gone', async ({ api }) => {
    const { path } = await givenOverTime(api, "TRAILING({Revenue}, 'month', 2)");
    expect(await read(api, `${path}/value?asOf=2024-03-31T23:59:00Z`)).toMatchObject({
      value: '308.00',
      comparison: { value: '297.00' },
    });
    expect(await read(api, `${path}/value?asOf=2024-03-10T12:00:00Z`)).toMatchObject({
      value: '297.00',
      comparison: { value: '230.00' },
    });
    const series = await read(api, `${path}/series?from=2024-02-01&to=2024-03-31`);
    expect(series.points.map(({ value }: { value: string }) => value)).toEqual(['297.00', '308.00']);
  });

  it('is refused where its periods do not make up those of the comparison', async ({ api }) => {
    const { definition, modelId } = await givenSalesModel(api);
    const { id: measureId } = await posted(api, `/api/models/${modelId}/measures`, {
      name: 'Before',
      expression: "PRIOR({Revenue}, 'month')",
    });
    const reply = await api.as('editor').post('/api/metrics', { ...definition, measureId, grain: 'year' });
    expect(issuesOf(reply)).toEqual([' 5005']);
  });
});

describe('the moment that a request looks at', () => {
  it('can be a date: the end of that day in the zone of the reply', async ({ api }) => {
    const { definition } = await givenSalesModel(api);
    const { path } = await givenMetric(api, definition);
    expect(await read(api, `${path}/value?asOf=2024-03-10`)).toMatchObject({
      value: '150.00',
      asOf: '2024-03-10T23:59:59.999Z',
      period: { through: '2024-03-10T23:59:59.999Z' },
    });
    const berlin = await read(api, `${path}/value?asOf=2024-03-10&timezone=Europe/Berlin`);
    expect(berlin).toMatchObject({ asOf: '2024-03-10T22:59:59.999Z' });
    const today = new Date().toISOString().slice(0, 10);
    expect(new Date((await read(api, `${path}/value?asOf=${today}`)).asOf).getTime()).toBeLessThanOrEqual(Date.now());
    const issue = async (query: string) => issuesOf(await api.as('viewer').get(`${path}/value?${query}`));
    expect(await issue('asOf=2999-01-01')).toEqual(['/query/asOf IN_FUTURE']);
    expect(await issue('asOf=2999-01-01T00:00:00Z')).toEqual(['/query/asOf IN_FUTURE']);
    expect(await issue('asOf=2024-02-30')).toEqual(['/query/asOf FORMAT']);
    expect(await issue('asOf=yesterday!')).toEqual(['/query/asOf FORMAT']);
  });
});
