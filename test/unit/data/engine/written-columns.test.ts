import { expect, it } from 'vitest';
import { openTestEngine } from './open-test-engine.ts';

const VALUES = [
  ...[
    'true',
    '1::TINYINT',
    '1::SMALLINT',
    '1::INT',
    '1::BIGINT',
    '1::UTINYINT',
    '1::USMALLINT',
    '1::UINTEGER',
    '1::UBIGINT',
  ],
  ...[
    '1::HUGEINT',
    '1::UHUGEINT',
    '1::BIGNUM',
    '1::FLOAT',
    '1::DOUBLE',
    '1.5',
    '1.5::DECIMAL(38, 10)',
    "'x'",
    "'x'::BLOB",
  ],
  ...[
    "DATE '2026-01-01'",
    "TIME '10:00:00'",
    "TIMETZ '10:00:00'",
    "TIMESTAMP '2026-01-01'",
    "TIMESTAMPTZ '2026-01-01'",
  ],
  ...["TIMESTAMP_S '2026-01-01'", "TIMESTAMP_MS '2026-01-01'", "TIMESTAMP_NS '2026-01-01'", 'INTERVAL 1 DAY', 'uuid()'],
  ...["'101'::BIT", 'NULL', "'a'::ENUM('a')", '[1]', '[1, 2]::INT[2]', "{'a': 1::HUGEINT}", 'MAP {1: 2}', "'{}'::JSON"],
  ...['1::VARIANT', 'union_value(a := 1)', "'POINT (1 2)'::GEOMETRY"],
];

it.each(VALUES)('a file with %s has the columns that its writer reports', async (value) => {
  const { engine, dir } = await openTestEngine();
  const path = `${dir}/file.parquet`;
  const { columns } = await engine.copyToParquet(`SELECT ${value} AS v`, { path });
  expect(columns).toEqual(await engine.describe(`SELECT * FROM read_parquet('${path}')`));
});
