const orders = { op: 'select', columns: ['id', 'title', 'price', 'region'] };
const all = { op: 'select', columns: ['id', 'title', 'amount', 'price', 'paid', 'region', 'day'] };

const on = [{ left: 'region', right: 'region' }];

/** Operations of recipes that move, each alone over `orders`. */
export const RECIPES: [title: string, ops: object[], trino: string][] = [
  [
    'select',
    [{ op: 'select', columns: ['id', 'region'] }],
    'WITH "step 1 of the recipe" AS (SELECT "input"."id" AS "id", "input"."region" AS "region" FROM "orders" AS "input")',
  ],
  [
    'drop',
    [orders, { op: 'drop', columns: ['title'] }],
    '"step 2 of the recipe" AS (SELECT "input"."id" AS "id", "input"."price" AS "price", "input"."region" AS "region" FROM "step 1 of the recipe" AS "input")',
  ],
  [
    'rename',
    [orders, { op: 'rename', map: { id: 'order "id"' } }],
    '"step 2 of the recipe" AS (SELECT "input"."id" AS "order ""id""", "input"."title" AS "title", "input"."price" AS "price", "input"."region" AS "region" FROM "step 1 of the recipe" AS "input")',
  ],
  [
    'reorder',
    [orders, { op: 'reorder', columns: ['region'] }],
    '"step 2 of the recipe" AS (SELECT "input"."region" AS "region", "input"."id" AS "id", "input"."title" AS "title", "input"."price" AS "price" FROM "step 1 of the recipe" AS "input")',
  ],
  [
    'filter',
    [orders, { op: 'filter', condition: "region = 'eu' AND id > {{ params.least }}" }],
    '"step 2 of the recipe" AS (SELECT "input"."id" AS "id", "input"."title" AS "title", "input"."price" AS "price", "input"."region" AS "region" FROM "step 1 of the recipe" AS "input" WHERE (("input"."region" = \'eu\') AND ("input"."id" > 2)))',
  ],
  [
    'derive',
    [orders, { op: 'derive', column: 'share', expression: 'price / {{ params.least }}' }],
    '"step 2 of the recipe" AS (SELECT "input"."id" AS "id", "input"."title" AS "title", "input"."price" AS "price", "input"."region" AS "region", (CAST("input"."price" AS double) / CAST(2 AS double)) AS "share" FROM "step 1 of the recipe" AS "input")',
  ],
  [
    'cast',
    [orders, { op: 'cast', column: 'id', type: 'string' }],
    '"step 2 of the recipe" AS (SELECT CAST("input"."id" AS varchar) AS "id", "input"."title" AS "title", "input"."price" AS "price", "input"."region" AS "region" FROM "step 1 of the recipe" AS "input")',
  ],
  [
    'cast leniently',
    [orders, { op: 'cast', column: 'title', type: 'integer', onError: 'null' }],
    '"step 2 of the recipe" AS (SELECT "input"."id" AS "id", CASE WHEN regexp_like(trim(BOTH <white> FROM "input"."title"), \'^[+-]?[0-9]+$\') THEN TRY_CAST(trim(BOTH <white> FROM "input"."title") AS bigint) WHEN regexp_like(trim(BOTH <white> FROM "input"."title"), \'^[+-]*([0-9_]*[.]?[0-9_]+[.]?([eE][+-]?[0-9_]+)?|0[xXbB][0-9a-fA-F_]+)$\') THEN CASE WHEN CAST(\'A text that only DuckDB reads as integer: \' || coalesce(CAST("input"."title" AS varchar), \'\') AS boolean) THEN NULL END END AS "title", "input"."price" AS "price", "input"."region" AS "region" FROM "step 1 of the recipe" AS "input")',
  ],
  [
    'fill by a value',
    [orders, { op: 'fill', column: 'title', value: "it's empty" }],
    '"step 2 of the recipe" AS (SELECT "input"."id" AS "id", coalesce("input"."title", \'it\'\'s empty\') AS "title", "input"."price" AS "price", "input"."region" AS "region" FROM "step 1 of the recipe" AS "input")',
  ],
  [
    'fill by the mean',
    [
      { op: 'select', columns: ['id', 'amount'] },
      { op: 'fill', column: 'amount', method: 'mean' },
    ],
    '"step 2 of the recipe" AS (SELECT "input"."id" AS "id", coalesce("input"."amount", avg("input"."amount") OVER ()) AS "amount" FROM "step 1 of the recipe" AS "input")',
  ],
  [
    'replace',
    [orders, { op: 'replace', column: 'title', from: 'a', to: '_' }],
    '"step 2 of the recipe" AS (SELECT "input"."id" AS "id", replace("input"."title", \'a\', \'_\') AS "title", "input"."price" AS "price", "input"."region" AS "region" FROM "step 1 of the recipe" AS "input")',
  ],
  [
    'replace a pattern',
    [orders, { op: 'replace', column: 'title', from: '[aeiou]+', to: '_', regex: true }],
    '"step 2 of the recipe" AS (SELECT "input"."id" AS "id", regexp_replace("input"."title", \'[aeiou]+\', \'_\') AS "title", "input"."price" AS "price", "input"."region" AS "region" FROM "step 1 of the recipe" AS "input")',
  ],
  [
    'split',
    [orders, { op: 'split', column: 'title', delimiter: ' ', into: ['a', 'b'] }],
    '"step 2 of the recipe" AS (SELECT "input"."id" AS "id", "input"."title" AS "title", "input"."price" AS "price", "input"."region" AS "region", nullif(split_part("input"."title", \' \', 1), \'\') AS "a" FROM "step 1 of the recipe" AS "input"), "step 3 of the recipe" AS (SELECT "input"."id" AS "id", "input"."title" AS "title", "input"."price" AS "price", "input"."region" AS "region", "input"."a" AS "a", nullif(split_part("input"."title", \' \', 2), \'\') AS "b" FROM "step 2 of the recipe" AS "input")',
  ],
  [
    'concat',
    [orders, { op: 'concat', columns: ['title', 'id', 'price'], into: 'all', separator: '-' }],
    '"step 2 of the recipe" AS (SELECT "input"."id" AS "id", "input"."title" AS "title", "input"."price" AS "price", "input"."region" AS "region", concat_ws(\'-\', "input"."title", CAST("input"."id" AS varchar), CAST("input"."price" AS varchar)) AS "all" FROM "step 1 of the recipe" AS "input")',
  ],
  [
    'extract',
    [orders, { op: 'extract', column: 'title', pattern: '([a-z])([0-9]+)', into: 'found' }],
    '"step 2 of the recipe" AS (SELECT "input"."id" AS "id", "input"."title" AS "title", "input"."price" AS "price", "input"."region" AS "region", CASE WHEN regexp_like("input"."title", \'([a-z])([0-9]+)\') THEN coalesce(regexp_extract("input"."title", \'([a-z])([0-9]+)\', 1), \'\') END AS "found" FROM "step 1 of the recipe" AS "input")',
  ],
  [
    'text trim',
    [orders, { op: 'text', column: 'title', fn: 'trim' }],
    '"step 2 of the recipe" AS (SELECT "input"."id" AS "id", trim(BOTH <spaces> FROM "input"."title") AS "title", "input"."price" AS "price", "input"."region" AS "region" FROM "step 1 of the recipe" AS "input")',
  ],
  [
    'text upper',
    [orders, { op: 'text', column: 'title', fn: 'upper' }],
    '"step 2 of the recipe" AS (SELECT "input"."id" AS "id", upper("input"."title") AS "title", "input"."price" AS "price", "input"."region" AS "region" FROM "step 1 of the recipe" AS "input")',
  ],
  [
    'text lower',
    [orders, { op: 'text', column: 'title', fn: 'lower' }],
    '"step 2 of the recipe" AS (SELECT "input"."id" AS "id", lower("input"."title") AS "title", "input"."price" AS "price", "input"."region" AS "region" FROM "step 1 of the recipe" AS "input")',
  ],
  [
    'text title',
    [orders, { op: 'text', column: 'title', fn: 'title' }],
    '"step 2 of the recipe" AS (SELECT "input"."id" AS "id", array_join(transform(split("input"."title", \' \'), word -> upper(substr(word, 1, 1)) || lower(substr(word, 2))), \' \') AS "title", "input"."price" AS "price", "input"."region" AS "region" FROM "step 1 of the recipe" AS "input")',
  ],
  [
    'dedupe',
    [orders, { op: 'dedupe', keys: ['region'], orderBy: [{ column: 'id', direction: 'desc' }] }],
    '"step 2 of the recipe" AS (SELECT "id", "title", "price", "region" FROM (SELECT "input"."id" AS "id", "input"."title" AS "title", "input"."price" AS "price", "input"."region" AS "region", (row_number() OVER (PARTITION BY "input"."region" ORDER BY "input"."id" DESC NULLS LAST, "input"."title" ASC NULLS LAST, "input"."price" ASC NULLS LAST) = 1) AS "row is kept" FROM "step 1 of the recipe" AS "input") AS "checked rows" WHERE "row is kept")',
  ],
  [
    'dedupe without an order',
    [
      { op: 'select', columns: ['id', 'region'] },
      { op: 'dedupe', keys: ['region'] },
    ],
    '"step 2 of the recipe" AS (SELECT "id", "region" FROM (SELECT "input"."id" AS "id", "input"."region" AS "region", (row_number() OVER (PARTITION BY "input"."region" ORDER BY "input"."id" ASC NULLS LAST, "input"."region" ASC NULLS LAST) = 1) AS "row is kept" FROM "step 1 of the recipe" AS "input") AS "checked rows" WHERE "row is kept")',
  ],
  [
    'sort and limit',
    [
      orders,
      { op: 'sort', by: [{ column: 'price', direction: 'desc' }, { column: 'id' }] },
      { op: 'limit', count: 2, offset: 1 },
    ],
    '"step 2 of the recipe" AS (SELECT "input"."id" AS "id", "input"."title" AS "title", "input"."price" AS "price", "input"."region" AS "region" FROM "step 1 of the recipe" AS "input"), "step 3 of the recipe" AS (SELECT "input"."id" AS "id", "input"."title" AS "title", "input"."price" AS "price", "input"."region" AS "region" FROM "step 2 of the recipe" AS "input" ORDER BY "input"."price" DESC NULLS LAST, "input"."id" ASC NULLS LAST OFFSET 1 LIMIT 2)',
  ],
  [
    'aggregate',
    [
      all,
      {
        op: 'aggregate',
        groupBy: ['region'],
        measures: [
          { fn: 'count', as: 'n' },
          { fn: 'count_distinct', column: 'title', as: 'titles' },
          { fn: 'sum', column: 'id', as: 'sum' },
          { fn: 'avg', column: 'price', as: 'avg' },
          { fn: 'min', column: 'day', as: 'min' },
          { fn: 'max', column: 'amount', as: 'max' },
          { fn: 'median', column: 'id', as: 'median' },
          { fn: 'stddev', column: 'id', as: 'stddev' },
          { fn: 'variance', column: 'id', as: 'variance' },
        ],
      },
    ],
    '"step 2 of the recipe" AS (SELECT "input"."region" AS "region", count(*) AS "n", count(DISTINCT "input"."title") AS "titles", sum(CAST("input"."id" AS decimal(38,0))) AS "sum", (CAST(sum(CAST("input"."price" AS decimal(38,2))) AS double) / count("input"."price")) AS "avg", min("input"."day") AS "min", CASE WHEN bool_or(is_nan("input"."amount")) THEN nan() ELSE max("input"."amount") FILTER (WHERE NOT is_nan("input"."amount")) END AS "max", element_at(transform(ARRAY[array_sort(array_agg(CAST("input"."id" AS double)) FILTER (WHERE CAST("input"."id" AS double) IS NOT NULL))], sorted -> element_at(sorted, (cardinality(sorted) + 1) / 2) + (element_at(sorted, (cardinality(sorted) + 2) / 2) - element_at(sorted, (cardinality(sorted) + 1) / 2)) / 2.0E0), 1) AS "median", stddev_samp(CAST("input"."id" AS double)) AS "stddev", var_samp(CAST("input"."id" AS double)) AS "variance" FROM "step 1 of the recipe" AS "input" GROUP BY "input"."region")',
  ],
  [
    'window',
    [
      orders,
      { op: 'window', fn: 'lag', column: 'id', partitionBy: ['region'], orderBy: [{ column: 'id' }], as: 'before' },
    ],
    '"step 2 of the recipe" AS (SELECT "input"."id" AS "id", "input"."title" AS "title", "input"."price" AS "price", "input"."region" AS "region", lag("input"."id") OVER (PARTITION BY "input"."region" ORDER BY "input"."id" ASC NULLS LAST) AS "before" FROM "step 1 of the recipe" AS "input")',
  ],
  [
    'a running window',
    [orders, { op: 'window', fn: 'sum', column: 'price', orderBy: [{ column: 'id' }], as: 'so far' }],
    '"step 2 of the recipe" AS (SELECT "input"."id" AS "id", "input"."title" AS "title", "input"."price" AS "price", "input"."region" AS "region", sum("input"."price") OVER (ORDER BY "input"."id" ASC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS "so far" FROM "step 1 of the recipe" AS "input")',
  ],
  [
    'pivot',
    [all, { op: 'pivot', rows: ['paid'], column: 'region', value: 'id', fn: 'sum', values: ['eu', 'us'] }],
    '"step 2 of the recipe" AS (SELECT "input"."paid" AS "paid", sum(CAST("input"."id" AS decimal(38,0))) FILTER (WHERE ("input"."region" = \'eu\')) AS "eu", sum(CAST("input"."id" AS decimal(38,0))) FILTER (WHERE ("input"."region" = \'us\')) AS "us" FROM "step 1 of the recipe" AS "input" GROUP BY "input"."paid")',
  ],
  [
    'unpivot',
    [
      { op: 'select', columns: ['id', 'title', 'region'] },
      { op: 'unpivot', columns: ['title', 'region'], nameColumn: 'name', valueColumn: 'value' },
    ],
    '"step 2 of the recipe" AS (SELECT "input"."id" AS "id", \'title\' AS "name", "input"."title" AS "value" FROM "step 1 of the recipe" AS "input"), "step 3 of the recipe" AS (SELECT "input"."id" AS "id", \'region\' AS "name", "input"."region" AS "value" FROM "step 1 of the recipe" AS "input"), "step 4 of the recipe" AS (SELECT * FROM "step 2 of the recipe" UNION ALL SELECT * FROM "step 3 of the recipe")',
  ],
  [
    'inner join',
    [orders, { op: 'join', with: 'regions', type: 'inner', on }],
    '"step 2 of the recipe" AS (SELECT "left"."id" AS "id", "left"."title" AS "title", "left"."price" AS "price", "left"."region" AS "region", "right"."label" AS "label", "right"."rank" AS "rank" FROM "step 1 of the recipe" AS "left" INNER JOIN "regions" AS "right" ON ("left"."region" = "right"."region"))',
  ],
  [
    'left join',
    [orders, { op: 'join', with: 'regions', type: 'left', on }],
    '"step 2 of the recipe" AS (SELECT "left"."id" AS "id", "left"."title" AS "title", "left"."price" AS "price", "left"."region" AS "region", "right"."label" AS "label", "right"."rank" AS "rank" FROM "step 1 of the recipe" AS "left" LEFT JOIN "regions" AS "right" ON ("left"."region" = "right"."region"))',
  ],
  [
    'right join',
    [orders, { op: 'join', with: 'regions', type: 'right', on }],
    '"step 2 of the recipe" AS (SELECT "left"."id" AS "id", "left"."title" AS "title", "left"."price" AS "price", coalesce("left"."region", "right"."region") AS "region", "right"."label" AS "label", "right"."rank" AS "rank" FROM "step 1 of the recipe" AS "left" RIGHT JOIN "regions" AS "right" ON ("left"."region" = "right"."region"))',
  ],
  [
    'full join',
    [orders, { op: 'join', with: 'regions', type: 'full', on }],
    '"step 2 of the recipe" AS (SELECT "left"."id" AS "id", "left"."title" AS "title", "left"."price" AS "price", coalesce("left"."region", "right"."region") AS "region", "right"."label" AS "label", "right"."rank" AS "rank" FROM "step 1 of the recipe" AS "left" FULL JOIN "regions" AS "right" ON ("left"."region" = "right"."region"))',
  ],
  [
    'semi join',
    [orders, { op: 'join', with: 'regions', type: 'semi', on }],
    '"step 2 of the recipe" AS (SELECT "left"."id" AS "id", "left"."title" AS "title", "left"."price" AS "price", "left"."region" AS "region" FROM "step 1 of the recipe" AS "left" WHERE EXISTS (SELECT 1 FROM "regions" AS "right" WHERE ("left"."region" = "right"."region")))',
  ],
  [
    'anti join',
    [orders, { op: 'join', with: 'regions', type: 'anti', on }],
    '"step 2 of the recipe" AS (SELECT "left"."id" AS "id", "left"."title" AS "title", "left"."price" AS "price", "left"."region" AS "region" FROM "step 1 of the recipe" AS "left" WHERE NOT EXISTS (SELECT 1 FROM "regions" AS "right" WHERE ("left"."region" = "right"."region")))',
  ],
  [
    'lookup',
    [orders, { op: 'lookup', with: 'regions', on, columns: ['label'] }],
    '"step 2 of the recipe" AS (SELECT "region", "label", "rank", "matches of the key" FROM (SELECT "input"."region" AS "region", "input"."label" AS "label", "input"."rank" AS "rank", count(*) OVER (PARTITION BY "input"."region") AS "matches of the key", (row_number() OVER (PARTITION BY "input"."region" ORDER BY "input"."region" ASC NULLS LAST, "input"."label" ASC NULLS LAST, "input"."rank" ASC NULLS LAST) = 1) AS "row is kept" FROM "regions" AS "input") AS "checked rows" WHERE "row is kept"), "step 3 of the recipe" AS (SELECT "left"."id" AS "id", "left"."title" AS "title", "left"."price" AS "price", "left"."region" AS "region", "right"."label" AS "label" FROM "step 1 of the recipe" AS "left" LEFT JOIN "step 2 of the recipe" AS "right" ON ("left"."region" = "right"."region"))',
  ],
  [
    'lookup of one',
    [
      { op: 'select', columns: ['id', 'region'] },
      { op: 'filter', condition: "region = 'eu'" },
      { op: 'lookup', with: 'regions', on, columns: ['label'], multiple: 'error' },
    ],
    '"step 2 of the recipe" AS (SELECT "input"."id" AS "id", "input"."region" AS "region" FROM "step 1 of the recipe" AS "input" WHERE ("input"."region" = \'eu\')), "step 3 of the recipe" AS (SELECT "region", "label", "rank", "matches of the key" FROM (SELECT "input"."region" AS "region", "input"."label" AS "label", "input"."rank" AS "rank", count(*) OVER (PARTITION BY "input"."region") AS "matches of the key", (row_number() OVER (PARTITION BY "input"."region" ORDER BY "input"."region" ASC NULLS LAST, "input"."label" ASC NULLS LAST, "input"."rank" ASC NULLS LAST) = 1) AS "row is kept" FROM "regions" AS "input") AS "checked rows" WHERE "row is kept"), "step 4 of the recipe" AS (SELECT "left"."id" AS "id", "left"."region" AS "region", CASE WHEN ("right"."matches of the key" > 1) THEN CASE WHEN CAST(\'Several rows of regions have the same lookup key: \' || coalesce(CAST("left"."id" AS varchar), \'\') AS boolean) THEN NULL END ELSE "right"."label" END AS "label" FROM "step 2 of the recipe" AS "left" LEFT JOIN "step 3 of the recipe" AS "right" ON ("left"."region" = "right"."region")), "step 5 of the recipe" AS (SELECT "input"."region" AS "region", count(*) AS "matches of the key" FROM "regions" AS "input" GROUP BY "input"."region"), "step 6 of the recipe" AS (SELECT "right"."matches of the key" AS "matches of the key" FROM "step 2 of the recipe" AS "left" INNER JOIN "step 5 of the recipe" AS "right" ON ("left"."region" = "right"."region")), "step 7 of the recipe" AS (SELECT count(*) AS "rows that fail" FROM "step 6 of the recipe" AS "input" WHERE CASE WHEN ("input"."matches of the key" > 1) THEN CASE WHEN CAST(\'Several rows of regions have the same lookup key: \' || coalesce(CAST("input"."matches of the key" AS varchar), \'\') AS boolean) THEN NULL END ELSE FALSE END), "step 8 of the recipe" AS (SELECT NULL AS "id", NULL AS "region", NULL AS "label" FROM "step 7 of the recipe" AS "input" WHERE ("input"."rows that fail" > 0)), "step 9 of the recipe" AS (SELECT * FROM "step 8 of the recipe" UNION ALL SELECT * FROM "step 4 of the recipe")',
  ],
  [
    'union',
    [
      { op: 'select', columns: ['id', 'region'] },
      { op: 'union', with: ['regions'] },
    ],
    '"step 2 of the recipe" AS (SELECT "input"."id" AS "id", "input"."region" AS "region", NULL AS "label", NULL AS "rank" FROM "step 1 of the recipe" AS "input"), "step 3 of the recipe" AS (SELECT NULL AS "id", "input"."region" AS "region", "input"."label" AS "label", "input"."rank" AS "rank" FROM "regions" AS "input"), "step 4 of the recipe" AS (SELECT * FROM "step 2 of the recipe" UNION ALL SELECT * FROM "step 3 of the recipe")',
  ],
  [
    'union of what differs',
    [
      { op: 'select', columns: ['region'] },
      { op: 'rename', map: { region: 'label' } },
      { op: 'union', with: ['regions'], distinct: true },
    ],
    '"step 2 of the recipe" AS (SELECT "input"."region" AS "label" FROM "step 1 of the recipe" AS "input"), "step 3 of the recipe" AS (SELECT "input"."label" AS "label", NULL AS "region", NULL AS "rank" FROM "step 2 of the recipe" AS "input"), "step 4 of the recipe" AS (SELECT "input"."label" AS "label", "input"."region" AS "region", "input"."rank" AS "rank" FROM "regions" AS "input"), "step 5 of the recipe" AS (SELECT * FROM "step 3 of the recipe" UNION SELECT * FROM "step 4 of the recipe")',
  ],
  [
    'intersect',
    [
      { op: 'select', columns: ['region'] },
      { op: 'intersect', with: 'regions' },
    ],
    '"step 2 of the recipe" AS (SELECT "input"."region" AS "region" FROM "regions" AS "input"), "step 3 of the recipe" AS (SELECT * FROM "step 1 of the recipe" INTERSECT SELECT * FROM "step 2 of the recipe")',
  ],
  [
    'except',
    [
      { op: 'select', columns: ['region'] },
      { op: 'except', with: 'regions' },
    ],
    '"step 2 of the recipe" AS (SELECT "input"."region" AS "region" FROM "regions" AS "input"), "step 3 of the recipe" AS (SELECT * FROM "step 1 of the recipe" EXCEPT SELECT * FROM "step 2 of the recipe")',
  ],
  [
    'assert',
    [orders, { op: 'assert', condition: 'id > 0' }],
    '"step 2 of the recipe" AS (SELECT "input"."id" AS "id", "input"."title" AS "title", "input"."price" AS "price", "input"."region" AS "region" FROM "step 1 of the recipe" AS "input" WHERE CASE WHEN ("input"."id" > 0) THEN TRUE ELSE CASE WHEN CAST(\'A row violates an assertion of the recipe: \' || coalesce(CAST("input"."id" AS varchar), \'\') AS boolean) THEN NULL END END), "step 3 of the recipe" AS (SELECT count(*) AS "rows that fail" FROM "step 1 of the recipe" AS "input" WHERE CASE WHEN ("input"."id" > 0) THEN FALSE ELSE CASE WHEN CAST(\'A row violates an assertion of the recipe: \' || coalesce(CAST("input"."id" AS varchar), \'\') AS boolean) THEN NULL END END), "step 4 of the recipe" AS (SELECT NULL AS "id", NULL AS "title", NULL AS "price", NULL AS "region" FROM "step 3 of the recipe" AS "input" WHERE ("input"."rows that fail" > 0)), "step 5 of the recipe" AS (SELECT * FROM "step 4 of the recipe" UNION ALL SELECT * FROM "step 2 of the recipe")',
  ],
  [
    'assert and drop',
    [orders, { op: 'assert', condition: 'id > 2', action: 'drop' }],
    '"step 2 of the recipe" AS (SELECT "input"."id" AS "id", "input"."title" AS "title", "input"."price" AS "price", "input"."region" AS "region" FROM "step 1 of the recipe" AS "input" WHERE ("input"."id" > 2))',
  ],
];

/** Operations that stay on DuckDB, with the reason and its place. */
export const STAYING_RECIPES: [title: string, ops: object[], pointer: string, reason: string][] = [
  [
    'sort',
    [orders, { op: 'sort', by: [{ column: 'id' }] }],
    '/ops/1',
    'sort needs a limit directly after it to run in Athena, which does not keep the order of rows.',
  ],
  [
    'limit',
    [orders, { op: 'limit', count: 2 }],
    '/ops/1',
    'limit moves only right behind a sort: Athena would take other rows.',
  ],
  [
    'sample',
    [orders, { op: 'sample', percent: 10 }],
    '/ops/1',
    'sample cannot run in Athena, because it depends on a hash of DuckDB.',
  ],
  [
    'sample of rows',
    [orders, { op: 'sample', rows: 10 }],
    '/ops/1',
    'sample cannot run in Athena, because it depends on a hash of DuckDB.',
  ],
  [
    'fill forward',
    [orders, { op: 'fill', column: 'title', method: 'forward' }],
    '/ops/1',
    'fill from other rows cannot run in Athena, which does not keep the order of rows.',
  ],
  [
    'surrogate_key',
    [orders, { op: 'surrogate_key', column: 'key' }],
    '/ops/1',
    'row_number needs an ORDER BY in its window: Athena keeps no order of rows.',
  ],
  [
    'parse_json',
    [orders, { op: 'parse_json', column: 'title', paths: { a: '$.a' } }],
    '/ops/1',
    'parse_json cannot run in Athena, which formats JSON values differently.',
  ],
  [
    'derive',
    [orders, { op: 'derive', column: 'x', expression: 'hash(id)' }],
    '/ops/1',
    'The function hash has no counterpart in Athena.',
  ],
  [
    'join over doubles',
    [all, { op: 'join', with: 'regions', type: 'inner', on: [{ left: 'amount', right: 'rank' }] }],
    '/ops/1',
    'A join over doubles treats NaN differently in Athena.',
  ],
  [
    'cast',
    [all, { op: 'cast', column: 'amount', type: 'string' }],
    '/ops/1',
    'A cast from double to string has other results in Athena.',
  ],
];
