import type { Scope, SqlColumn } from '../../../../shared/data/expressions/index.ts';

/** A table with every type, whose statements both engines read alike. */
export const CREATE_DATA = `
  CREATE TABLE facts ("id" INTEGER, "region" VARCHAR, "qty" INTEGER, "big" BIGINT, "price" DECIMAL(18, 2),
    "score" DOUBLE PRECISION, "wild" DOUBLE PRECISION, "paid" BOOLEAN, "day" DATE, "at" TIMESTAMPTZ, "seen" TIMESTAMP,
    "tod" TIME, "code" UUID);
  INSERT INTO facts VALUES
    (1, 'Nord', 3, 9007199254740993, 19.99, 2.675, 1, TRUE, '2024-01-31', '2024-01-31 22:30:00+00', '2024-01-31 22:30:00', '10:00:00', '00000000-0000-0000-0000-000000000001'),
    (2, 'Nord', 5, 9223372036854775806, 100.50, 1.005, 'NaN', FALSE, '2024-02-29', '2024-02-29 23:30:00+00', '2024-02-29 23:15:00', '23:59:59', '00000000-0000-0000-0000-00000000000a'),
    (3, 'Nord', NULL, -9007199254740993, NULL, NULL, 'Infinity', NULL, NULL, NULL, NULL, NULL, NULL),
    (4, 'süd', 3, 0, 0.00, 0.1, '-Infinity', TRUE, '2024-03-31', '2024-03-31 00:59:59+00', '2024-03-31 01:00:00', '00:00:00', '00000000-0000-0000-0000-000000000002'),
    (5, 'süd', 0, 1, 12.34, -2.5, 0, FALSE, '2024-10-27', '2024-10-27 00:30:00+00', '2024-10-27 01:30:00', '12:34:56', '00000000-0000-0000-0000-000000000003'),
    (6, 'a😀b', 1, 2, 5.00, 1234.5678, 2.5, TRUE, '2023-12-31', '2023-12-31 23:30:00+00', '2023-12-31 22:59:59', '08:15:00', '00000000-0000-0000-0000-000000000004'),
    (7, '', 2, 3, -7.25, 0, -1, FALSE, '2021-01-01', '2021-01-01 05:45:10.5+00', '2021-01-01 05:45:10.5', '09:00:00', '00000000-0000-0000-0000-000000000005'),
    (8, NULL, 8, 4, 1000000.01, 150, 3, TRUE, '2020-02-29', '2020-02-29 12:00:00+00', '2020-02-29 12:00:00', '10:00:00', '00000000-0000-0000-0000-000000000006'),
    (9, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    (10, ' 42 ', -4, 5, 42.42, 99999.995, 42, NULL, '1999-12-31', '1999-12-31 23:59:59+00', '1999-12-31 23:59:59', '23:00:00', '00000000-0000-0000-0000-000000000007'),
    (11, '2024-05-05', 7, 6, 0.01, 1e-7, 1e300, TRUE, '2024-05-05', '2024-05-05 10:00:00+00', '2024-05-05 10:00:00', '01:00:00', '00000000-0000-0000-0000-000000000008'),
    (12, 'Zebra', 3, 7, 19.99, 2.5, 7, FALSE, '2024-12-30', '2024-12-30 10:00:00+00', '2024-12-30 10:00:00', '02:00:00', '00000000-0000-0000-0000-000000000009')`;

const FIELDS = {
  id: 'integer',
  region: 'string',
  qty: 'integer',
  big: 'integer',
  price: 'decimal',
  score: 'number',
  wild: 'number',
  paid: 'boolean',
  day: 'date',
  at: 'datetime',
  seen: 'datetime',
  tod: 'time',
  code: 'string',
} as const;

/** The table as `data`, with a calculated field and measures. */
export const SCOPE: Scope = {
  tables: [
    {
      id: 'table',
      alias: 'data',
      fields: [
        ...Object.entries(FIELDS).map(([name, dataType]) => ({ id: `field-${name}`, name, dataType })),
        { id: 'field-tax', name: 'price with tax', dataType: 'decimal', expression: '[price] * 1.19' },
      ],
    },
  ],
  measures: [
    { id: 'revenue', name: 'Revenue', expression: 'SUM([data.price] * [data.qty])' },
    { id: 'orders', name: 'Orders', expression: 'COUNT([data.id])' },
    { id: 'margin', name: 'Margin %', expression: '({Revenue} - SUM([price])) / {Revenue}' },
  ],
};

export function columnOf({ field }: { table: string; field: string }): SqlColumn {
  const column = field.replace('field-', '');
  if (column === 'seen') return { table: 't', column, stored: 'timestamp' };
  return column === 'code' ? { table: 't', column, stored: 'other' } : { table: 't', column };
}
