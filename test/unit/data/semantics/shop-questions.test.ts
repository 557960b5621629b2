import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Relationship } from '../../../../shared/data/semantics/model.ts';
import type { Grain } from '../../../../shared/platform/schedule/periods.ts';
import { seededRandom } from '../../../support/seeded-random.ts';
import { plus } from '../../support/fiscal-years.ts';
import { type Asked, type Shape, sqlOf } from './support/ask.ts';
import type { Row, Value } from './support/brute-force.ts';
import { sorted } from './support/expect-right.ts';
import { type TwoEngines, twoEngines } from './support/two-engines.ts';

const random = seededRandom(60);
const upTo = (count: number) => Math.floor(random() * count);
const list = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const table = (name: string, rows: Record<string, Value>[]): Row[] =>
  rows.map((row) => Object.fromEntries(Object.entries(row).map(([column, value]) => [`${name}.${column}`, value])));
const onDay = (from: string, days: number) => plus(from, upTo(days));
const two = (number: number) => String(number).padStart(2, '0');

const PRODUCTS = ['Tea', 'Ginger tea', 'Coffee 100%', 'Cup_XL', 'Cup XL', 'Plate', 'Kettle', 'ORANGE jam', 'Honey'];
const TABLES = {
  regions: list(4, (id) => ({ id, name: ['North', 'South', 'East', 'West'][id]! })),
  segments: list(3, (id) => ({ id, name: ['Retail', 'Trade', 'Public'][id]! })),
  customers: list(24, (id) => ({ id, region: id % 4, segment: upTo(3), since: onDay('2025-01-01', 300) })),
  categories: list(3, (id) => ({ id, name: ['Drinks', 'Kitchen', 'Food'][id]! })),
  suppliers: list(3, (id) => ({ id, country: ['DE', 'FR', 'JP'][id]! })),
  products: PRODUCTS.map((name, id) => ({ id, name, category: id < 3 ? 0 : id < 7 ? 1 : 2, supplier: id % 3 })),
  stores: list(3, (id) => ({ id, city: ['Bonn', 'Lyon', 'Kobe'][id]! })),
  staff: list(6, (id) => ({ id, store: id % 3 })),
  orders: list(160, (id) => {
    const day = onDay('2025-10-03', 140);
    const at = `${day}T${two(upTo(24))}:${two(upTo(60))}:00Z`;
    const customer = id % 23 === 0 ? null : upTo(20);
    return { id, customer, store: upTo(3), staff: upTo(6), day, at, channel: ['web', 'shop', 'phone'][upTo(3)]! };
  }),
  lines: list(340, (id) => ({ id, ord: upTo(150), product: upTo(8), quantity: 1 + upTo(5), amount: 1 + upTo(90) })),
  returns: list(50, (id) => ({ id, line: upTo(340), amount: 1 + upTo(20) })),
  stock: list(20, (week) => week).flatMap((week) =>
    list(12, (place) => place).flatMap((place) =>
      random() < 0.8
        ? [{ product: place % 6, store: place % 2, day: plus('2025-10-06', week * 7), level: upTo(50) }]
        : [],
    ),
  ),
  visits: list(120, (id) => ({ id, customer: upTo(24), at: `${onDay('2025-11-01', 60)}T${two(upTo(24))}:30:00Z` })),
};
const joins: [string, string][] = [
  ['regions.id', 'customers.region'],
  ['segments.id', 'customers.segment'],
  ['categories.id', 'products.category'],
  ['suppliers.id', 'products.supplier'],
  ['customers.id', 'orders.customer'],
  ['stores.id', 'orders.store'],
  ['staff.id', 'orders.staff'],
  ['orders.id', 'lines.ord'],
  ['products.id', 'lines.product'],
  ['lines.id', 'returns.line'],
  ['products.id', 'stock.product'],
  ['stores.id', 'stock.store'],
  ['customers.id', 'visits.customer'],
];
const end = (fieldId: string) => ({ tableId: fieldId.split('.')[0]!, fieldId });
const shape: Shape = {
  tables: Object.fromEntries(Object.entries(TABLES).map(([name, rows]) => [name, table(name, rows)])),
  relationships: joins.map(
    ([from, to], index): Relationship => ({
      id: `r${index}`,
      from: end(from),
      to: end(to),
      cardinality: '1:N',
      joinType: 'left',
      isActive: true,
    }),
  ),
  types: {
    ...Object.fromEntries(
      ['regions.name', 'segments.name', 'categories.name', 'suppliers.country', 'products.name', 'stores.city'].map(
        (field) => [field, 'string' as const],
      ),
    ),
    ...{ 'customers.since': 'date', 'orders.day': 'date', 'orders.at': 'datetime', 'orders.channel': 'string' },
    ...{ 'stock.day': 'date', 'visits.at': 'datetime' },
  } as Shape['types'] & object,
};

let engines: TwoEngines;
beforeAll(async () => {
  engines = await twoEngines();
  await engines.load('shop', shape);
});
afterAll(() => engines.close());

const by = (field: string, grain: Grain, more: Partial<Asked> = {}): Asked => ({
  dimensions: [`DATE_TRUNC("${grain}", [${field}])`],
  time: { position: 0, fieldId: field, grain, isDense: false },
  ...more,
});
const month = (more: Partial<Asked>) => by('orders.day', 'month', more);
const start = (grain: string, column: string) => `CAST(date_trunc('${grain}', ${column}) AS date)`;

/** All lines with what belongs to them. */
const SOLD = `SELECT l.*, o.day, o.at, o.channel, o.customer, ${start('month', 'o.day')} AS month, r.name AS region,
    s.name AS segment, p.name AS product_name, g.name AS category, u.country
  FROM shop.lines l LEFT JOIN shop.orders o ON o.id = l.ord LEFT JOIN shop.customers c ON c.id = o.customer
  LEFT JOIN shop.regions r ON r.id = c.region LEFT JOIN shop.segments s ON s.id = c.segment
  LEFT JOIN shop.products p ON p.id = l.product LEFT JOIN shop.categories g ON g.id = p.category
  LEFT JOIN shop.suppliers u ON u.id = p.supplier`;
/** All orders with what belongs to them. */
const ORDERED = `SELECT o.*, ${start('month', 'o.day')} AS month, r.name AS region, s.name AS segment
  FROM shop.orders o LEFT JOIN shop.customers c ON c.id = o.customer LEFT JOIN shop.regions r ON r.id = c.region
  LEFT JOIN shop.segments s ON s.id = c.segment`;
const STOCK = `SELECT k.*, ${start('month', 'k.day')} AS month, ${start('quarter', 'k.day')} AS quarter, g.name AS category,
    t.city, u.country
  FROM shop.stock k JOIN shop.products p ON p.id = k.product JOIN shop.categories g ON g.id = p.category
  JOIN shop.suppliers u ON u.id = p.supplier JOIN shop.stores t ON t.id = k.store`;
const sold = (select: string, rest = '') => `SELECT ${select} FROM (${SOLD}) AS f ${rest}`;
const ordered = (select: string, rest = '') => `SELECT ${select} FROM (${ORDERED}) AS f ${rest}`;

/** The sum of the stock on one day of each group, the first or the last one that it has, of each entity. */
const onOneDay = (edge: 'max' | 'min', group: string, entity = '0') =>
  `SELECT g, sum(level) AS level FROM (SELECT ${group} AS g, level, day, ${edge}(day) OVER (PARTITION BY ${group}, ${entity}) AS edge
     FROM (${STOCK}) AS f) AS d WHERE day = edge GROUP BY g`;
const meanOfDays = (group: string, entity = '0') =>
  `SELECT g, sum(mean) FROM (SELECT g, e, avg(total) AS mean FROM (SELECT ${group} AS g, ${entity} AS e, day,
     sum(level) AS total FROM (${STOCK}) AS f GROUP BY 1, 2, 3) AS d GROUP BY g, e) AS m GROUP BY g`;

/** An aggregate of all lines whose day is in a range that depends on the month. */
const around = (aggregate: string, range: string, select = '') =>
  `SELECT m.month, (SELECT ${aggregate} FROM (${SOLD}) AS f WHERE ${range})${select}
     FROM (SELECT DISTINCT month FROM (${SOLD}) AS f) AS m`;
const MONTH_END = "f.day < m.month + INTERVAL '1 month'";
const trailing = (months: number) => `${MONTH_END} AND f.day >= m.month - INTERVAL '${months - 1} month'`;
const perEntity = (aggregate: string, measure: string, entity: string, group: string, from = SOLD) =>
  `SELECT g, ${aggregate} FROM (SELECT ${group} AS g, ${entity} AS e,
     CASE WHEN ${entity} IS NULL THEN NULL ELSE ${measure} END AS v FROM (${from}) AS f GROUP BY 1, 2) AS d GROUP BY g`;

const REVENUE = 'SUM([lines.amount])';
const measures = (...texts: string[]) => ({ measures: texts });
const amount = (filters: string[], group = 'products.name'): Asked => ({
  dimensions: [`[${group}]`],
  measures: [REVENUE],
  filters,
});

const QUESTIONS: Record<string, [asked: Asked, sql: string]> = {
  // Stock
  'stock at the end of each month': [
    by('stock.day', 'month', measures('LAST_OVER(SUM([stock.level]), [stock.day])')),
    onOneDay('max', 'month'),
  ],
  'stock at the beginning of each month': [
    by('stock.day', 'month', measures('FIRST_OVER(SUM([stock.level]), [stock.day])')),
    onOneDay('min', 'month'),
  ],
  'mean stock of each month': [
    by('stock.day', 'month', measures('AVG_OVER(SUM([stock.level]), [stock.day])')),
    meanOfDays('month'),
  ],
  'stock at the end of each month, each product at its own last day': [
    by('stock.day', 'month', measures('LAST_OVER(SUM([stock.level]), [stock.day], [stock.product])')),
    onOneDay('max', 'month', 'product'),
  ],
  'stock at the beginning of each quarter, each store at its own first day': [
    by('stock.day', 'quarter', measures('FIRST_OVER(SUM([stock.level]), [stock.day], [stock.store])')),
    onOneDay('min', 'quarter', 'store'),
  ],
  'last stock by category': [
    { dimensions: ['[categories.name]'], measures: ['LAST_OVER(SUM([stock.level]), [stock.day])'] },
    onOneDay('max', 'category'),
  ],
  'last stock by city, each product at its own last day': [
    { dimensions: ['[stores.city]'], measures: ['LAST_OVER(SUM([stock.level]), [stock.day], [stock.product])'] },
    onOneDay('max', 'city', 'product'),
  ],
  'mean stock by country, of the days of each store': [
    { dimensions: ['[suppliers.country]'], measures: ['AVG_OVER(SUM([stock.level]), [stock.day], [stock.store])'] },
    meanOfDays('country', 'store'),
  ],
  'last stock of everything': [
    measures('LAST_OVER(SUM([stock.level]), [stock.day])'),
    `SELECT sum(level) FROM shop.stock WHERE day = (SELECT max(day) FROM shop.stock)`,
  ],
  'mean stock by city': [
    { dimensions: ['[stores.city]'], measures: ['AVG_OVER(SUM([stock.level]), [stock.day])'] },
    meanOfDays('city'),
  ],
  // Windows
  'revenue of two months': [month(measures(`TRAILING(${REVENUE}, "month", 2)`)), around('sum(f.amount)', trailing(2))],
  'moving average of three months': [
    month(measures(`TRAILING(${REVENUE}, "month", 3) / 3`)),
    around('sum(f.amount) / 3.0', trailing(3)),
  ],
  'customers of the last two months, each once': [
    month(measures('TRAILING(COUNT_DISTINCT([orders.customer]), "month", 2)')),
    `SELECT m.month, (SELECT count(DISTINCT f.customer) FROM (${ORDERED}) AS f WHERE ${trailing(2)})
       FROM (SELECT DISTINCT month FROM (${ORDERED}) AS f) AS m`,
  ],
  'mean line of the last two months': [
    month(measures('TRAILING(AVG([lines.amount]), "month", 2)')),
    around('avg(f.amount)', trailing(2)),
  ],
  'orders of the last 28 days by day': [
    by('orders.day', 'day', measures('TRAILING(COUNT([orders.id]), "day", 28)')),
    `SELECT m.day, (SELECT count(*) FROM shop.orders f WHERE f.day <= m.day AND f.day > m.day - INTERVAL '28 day')
       FROM (SELECT DISTINCT day FROM shop.orders) AS m`,
  ],
  'revenue to date': [month(measures(`CUMULATIVE(${REVENUE})`)), around('sum(f.amount)', MONTH_END)],
  'revenue of the year to date': [
    month(measures(`CUMULATIVE(${REVENUE}, "year")`)),
    around('sum(f.amount)', `${MONTH_END} AND f.day >= date_trunc('year', m.month)`),
  ],
  'revenue of the quarter to date': [
    month(measures(`CUMULATIVE(${REVENUE}, "quarter")`)),
    around('sum(f.amount)', `${MONTH_END} AND f.day >= date_trunc('quarter', m.month)`),
  ],
  'different customers to date': [
    month(measures('CUMULATIVE(COUNT_DISTINCT([orders.customer]))')),
    `SELECT m.month, (SELECT count(DISTINCT f.customer) FROM shop.orders f WHERE ${MONTH_END})
       FROM (SELECT DISTINCT month FROM (${ORDERED}) AS f) AS m`,
  ],
  'largest line to date': [month(measures('CUMULATIVE(MAX([lines.amount]))')), around('max(f.amount)', MONTH_END)],
  'revenue of the month before': [
    month(measures(`PRIOR(${REVENUE}, "month")`)),
    around('sum(f.amount)', "f.month = m.month - INTERVAL '1 month'"),
  ],
  'growth against the month before': [
    month(measures(`DIVIDE(${REVENUE}, PRIOR(${REVENUE}, "month")) - 1`)),
    around(
      'sum(f.amount)',
      'f.month = m.month',
      ` * 1.0 / (SELECT sum(f.amount) FROM (${SOLD}) AS f WHERE f.month = m.month - INTERVAL '1 month') - 1`,
    ),
  ],
  // Ranks and shares
  'rank of products': [
    { dimensions: ['[products.name]'], measures: [`RANK(${REVENUE})`] },
    `SELECT product_name, rank() OVER (ORDER BY sum(amount) DESC) FROM (${SOLD}) AS f GROUP BY product_name`,
  ],
  'rank of regions by orders': [
    { dimensions: ['[regions.name]'], measures: ['RANK(COUNT([orders.id]))'] },
    `SELECT region, rank() OVER (ORDER BY count(*) DESC) FROM (${ORDERED}) AS f GROUP BY region`,
  ],
  'rank of channels by the mean line': [
    { dimensions: ['[orders.channel]'], measures: ['RANK(AVG([lines.amount]))'] },
    `SELECT channel, rank() OVER (ORDER BY avg(amount) DESC) FROM (${SOLD}) AS f GROUP BY channel`,
  ],
  'share of categories': [
    { dimensions: ['[categories.name]'], measures: [`SHARE(${REVENUE})`] },
    sold('category, sum(amount) * 1.0 / (SELECT sum(amount) FROM shop.lines)', 'GROUP BY category'),
  ],
  'share of segments in their region': [
    { dimensions: ['[regions.name]', '[segments.name]'], measures: [`SHARE_OF_PARENT(${REVENUE})`] },
    sold(
      'region, segment, sum(amount) * 1.0 / sum(sum(amount)) OVER (PARTITION BY region)',
      'GROUP BY region, segment',
    ),
  ],
  'share of products in their category': [
    { dimensions: ['[categories.name]', '[products.name]'], measures: ['SHARE_OF_PARENT(SUM([lines.quantity]))'] },
    sold(
      'category, product_name, sum(quantity) * 1.0 / sum(sum(quantity)) OVER (PARTITION BY category)',
      'GROUP BY category, product_name',
    ),
  ],
  'customers of a channel among all customers': [
    { dimensions: ['[orders.channel]'], measures: ['SHARE(COUNT_DISTINCT([orders.customer]))'] },
    ordered(
      'channel, count(DISTINCT customer) * 1.0 / (SELECT count(DISTINCT customer) FROM shop.orders)',
      'GROUP BY channel',
    ),
  ],
  'revenue beside that of all': [
    { dimensions: ['[suppliers.country]'], measures: [REVENUE, `TOTAL(${REVENUE})`] },
    sold('country, sum(amount), (SELECT sum(amount) FROM shop.lines)', 'GROUP BY country'),
  ],
  // Parts of dates, and lists
  'orders by hour': [
    { dimensions: ['HOUR([orders.at])'], measures: ['COUNT([orders.id])'] },
    ordered("extract(hour FROM f.at AT TIME ZONE 'UTC'), count(*)", 'GROUP BY 1'),
  ],
  'orders by hour in Tokyo': [
    { dimensions: ['HOUR([orders.at])'], measures: ['COUNT([orders.id])'], timezone: 'Asia/Tokyo' },
    ordered("extract(hour FROM f.at AT TIME ZONE 'Asia/Tokyo'), count(*)", 'GROUP BY 1'),
  ],
  'visits by minute and day of the week': [
    { dimensions: ['MINUTE([visits.at])', 'DAY_OF_WEEK([visits.at])'], measures: ['COUNT([visits.id])'] },
    `SELECT extract(minute FROM f.at AT TIME ZONE 'UTC'), extract(isodow FROM f.at AT TIME ZONE 'UTC'), count(*) FROM shop.visits f GROUP BY 1, 2`,
  ],
  'revenue by weekday': [
    { dimensions: ['DAY_OF_WEEK([orders.day])'], measures: [REVENUE] },
    sold('extract(isodow FROM day), sum(amount)', 'GROUP BY 1'),
  ],
  'revenue by name of the day': [
    { dimensions: ['DAY_NAME([orders.day])'], measures: [REVENUE] },
    sold(
      `CASE extract(isodow FROM day) WHEN 1 THEN 'Monday' WHEN 2 THEN 'Tuesday' WHEN 3 THEN 'Wednesday'
         WHEN 4 THEN 'Thursday' WHEN 5 THEN 'Friday' WHEN 6 THEN 'Saturday' WHEN 7 THEN 'Sunday' END, sum(amount)`,
      'GROUP BY 1',
    ),
  ],
  'revenue by ISO week': [
    { dimensions: ['ISO_YEAR([orders.day])', 'WEEK([orders.day])'], measures: [REVENUE] },
    sold('extract(isoyear FROM day), extract(week FROM day), sum(amount)', 'GROUP BY 1, 2'),
  ],
  'orders by day of the year': [
    { dimensions: ['DAY_OF_YEAR([orders.day])'], measures: ['COUNT([orders.id])'] },
    ordered('extract(doy FROM day), count(*)', 'GROUP BY 1'),
  ],
  'weekend against week': [
    { dimensions: ['IF(DAY_OF_WEEK([orders.day]) > 5, "weekend", "week")'], measures: ['COUNT([orders.id])'] },
    ordered("CASE WHEN extract(isodow FROM day) > 5 THEN 'weekend' ELSE 'week' END, count(*)", 'GROUP BY 1'),
  ],
  'products of each category as a list': [
    {
      dimensions: ['[categories.name]'],
      measures: ['LIST_DISTINCT([products.name])'],
      filters: ['[lines.amount] > 0'],
    },
    sold(
      `category, (SELECT string_agg(n, ', ' ORDER BY n COLLATE "C") FROM (SELECT DISTINCT product_name AS n
         FROM (${SOLD}) AS i WHERE i.category = f.category) AS d)`,
      'GROUP BY category',
    ),
  ],
  'one channel of each region': [
    { dimensions: ['[regions.name]'], measures: ['ANY_VALUE([orders.channel])'] },
    ordered('region, min(channel)', 'GROUP BY region'),
  ],
  // Texts
  'products with an "an", in any case': [
    amount(['CONTAINS(FOLD_CASE([products.name]), FOLD_CASE("AN"))']),
    sold('product_name, sum(amount)', "WHERE lower(product_name) LIKE '%an%' GROUP BY 1"),
  ],
  'products without "tea"': [
    amount(['NOT CONTAINS(FOLD_CASE([products.name]), "tea")']),
    sold('product_name, sum(amount)', "WHERE lower(product_name) NOT LIKE '%tea%' GROUP BY 1"),
  ],
  'products that begin with "cup"': [
    amount(['STARTS_WITH(FOLD_CASE([products.name]), "cup")']),
    sold('product_name, sum(amount)', "WHERE lower(product_name) LIKE 'cup%' GROUP BY 1"),
  ],
  'products that end with "jam"': [
    amount(['ENDS_WITH([products.name], "jam")']),
    sold('product_name, sum(amount)', "WHERE product_name LIKE '%jam' GROUP BY 1"),
  ],
  'products with a percent sign': [
    amount(['CONTAINS([products.name], "0%")']),
    sold('product_name, sum(amount)', "WHERE product_name = 'Coffee 100%' GROUP BY 1"),
  ],
  'products with an underscore': [
    amount(['STARTS_WITH([products.name], "Cup_")']),
    sold('product_name, sum(amount)', "WHERE product_name = 'Cup_XL' GROUP BY 1"),
  ],
  'alternatives of two tables': [
    amount(['[regions.name] = "North" OR [orders.channel] = "web"'], 'regions.name'),
    sold('region, sum(amount)', "WHERE region = 'North' OR channel = 'web' GROUP BY 1"),
  ],
  // Aggregates of aggregates
  'orders per customer': [
    { dimensions: ['[regions.name]'], measures: ['AVG_PER(COUNT([orders.id]), [orders.customer])'] },
    perEntity('avg(v)', 'count(*)', 'customer', 'region', ORDERED),
  ],
  'median revenue of an order': [
    { dimensions: ['[orders.channel]'], measures: [`MEDIAN_PER(${REVENUE}, [orders.id])`] },
    perEntity('percentile_cont(0.5) WITHIN GROUP (ORDER BY v)', 'sum(amount)', 'ord', 'channel'),
  ],
  'largest order by month': [
    month(measures(`MAX_PER(${REVENUE}, [orders.id])`)),
    perEntity('max(v)', 'sum(amount)', 'ord', 'month'),
  ],
  'smallest customer by segment': [
    { dimensions: ['[segments.name]'], measures: [`MIN_PER(${REVENUE}, [orders.customer])`] },
    perEntity('min(v)', 'sum(amount)', 'customer', 'segment'),
  ],
  'customers with more than seven orders': [
    { dimensions: ['[segments.name]'], measures: ['COUNT_PER(COUNT([orders.id]) > 7, [orders.customer])'] },
    `SELECT g, count(*) FILTER (WHERE v > 7) FROM (SELECT segment AS g, customer, count(customer) AS v
       FROM (${ORDERED}) AS f GROUP BY 1, 2) AS d GROUP BY g`,
  ],
  'channels of customers, added up': [
    { dimensions: ['[regions.name]'], measures: ['SUM_PER(COUNT_DISTINCT([orders.channel]), [orders.customer])'] },
    perEntity('sum(v)', 'count(DISTINCT channel)', 'customer', 'region', ORDERED),
  ],
  'orders of cohorts': [
    by('customers.since', 'month', measures('COUNT([orders.id])', 'COUNT_DISTINCT([orders.customer])')),
    `SELECT ${start('month', 'c.since')}, count(o.id), count(DISTINCT o.customer)
       FROM shop.orders o LEFT JOIN shop.customers c ON c.id = o.customer GROUP BY 1`,
  ],
  // Several facts and conditions
  'web beside shop by month': [
    month(
      measures(
        `${REVENUE} FILTER (WHERE [orders.channel] = "web")`,
        'SUM_IF([lines.amount], [orders.channel] = "shop")',
      ),
    ),
    sold(
      "month, sum(amount) FILTER (WHERE channel = 'web'), sum(amount) FILTER (WHERE channel = 'shop')",
      'GROUP BY month',
    ),
  ],
  'rate of returns by category': [
    { dimensions: ['[categories.name]'], measures: [`DIVIDE(SUM([returns.amount]), ${REVENUE})`] },
    `SELECT category, sum(back) * 1.0 / sum(amount) FROM (SELECT f.category, f.amount, (SELECT sum(b.amount)
       FROM shop.returns b WHERE b.line = f.id) AS back FROM (${SOLD}) AS f) AS d GROUP BY category`,
  ],
  'revenue and stock by supplier': [
    { dimensions: ['[suppliers.country]'], measures: [REVENUE, 'LAST_OVER(SUM([stock.level]), [stock.day])'] },
    `SELECT a.country, a.amount, b.level FROM (${sold('country, sum(amount) AS amount', 'GROUP BY country')}) AS a
       JOIN (${onOneDay('max', 'country')}) AS b ON a.country = b.g`,
  ],
  'orders per visit by segment': [
    {
      dimensions: ['[segments.name]'],
      measures: ['COUNT([orders.id]) / COUNT([visits.id])'],
      filters: ['[segments.name] IS NOT NULL'],
    },
    `SELECT s.name, (SELECT count(*) FROM shop.orders o JOIN shop.customers c ON c.id = o.customer WHERE c.segment = s.id) * 1.0
       / (SELECT count(*) FROM shop.visits v JOIN shop.customers c ON c.id = v.customer WHERE c.segment = s.id)
       FROM shop.segments s`,
  ],
  'regions of at least 1,500': [
    { dimensions: ['[regions.name]'], measures: [REVENUE], resultFilters: [{ position: 1, atLeast: 1500 }] },
    sold('region, sum(amount)', 'GROUP BY region HAVING sum(amount) >= 1500'),
  ],
  'percentiles of lines by category': [
    { dimensions: ['[categories.name]'], measures: ['PERCENTILE([lines.amount], 0.9)', 'MEDIAN([lines.amount])'] },
    sold(
      `category, percentile_cont(0.9) WITHIN GROUP (ORDER BY amount), percentile_cont(0.5) WITHIN GROUP (ORDER BY amount)`,
      'GROUP BY category',
    ),
  ],
};

describe('questions to a shop of thirteen tables, against SQL by hand on both engines', () => {
  it('are sixty', () => {
    expect([Object.keys(TABLES).length, Object.keys(QUESTIONS).length]).toEqual([13, 60]);
  });

  it.each(Object.entries(QUESTIONS))('%s', async (_name, [asked, sql]) => {
    const columns = [...(asked.dimensions ?? []), ...(asked.measures ?? [])].map((_, index) => `c${index}`);
    for (const dialect of ['duckdb', 'postgres'] as const) {
      const compiled = sqlOf('shop', shape, asked, dialect);
      const wanted = await engines[dialect](`SELECT * FROM (${sql}) AS reply(${columns.join(', ')})`);
      expect(wanted.length).toBeGreaterThan(0);
      expect(sorted(await engines[dialect](compiled)), `${dialect}\n${compiled}`).toEqual(sorted(wanted));
    }
  });
});
