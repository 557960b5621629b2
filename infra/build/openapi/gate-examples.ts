import type { TestConfig, TestType } from '../../../shared/data/quality/tests.ts';
import type { Gate } from '../../../shared/domains/pipelines/definition/index.ts';

type GateOf<T extends TestType> = Omit<Gate, 'type' | 'config'> & { type: T; config?: TestConfig<T> };

/** An example of each type of gate. */
export const GATE_EXAMPLES: { readonly [T in TestType]: GateOf<T> } = {
  not_null: { id: 'has-id', type: 'not_null', column: 'id', action: 'fail' },
  unique: { id: 'one-row-per-id', type: 'unique', config: { columns: ['region', 'id'] }, action: 'fail' },
  value_range: {
    id: 'plausible-amount',
    type: 'value_range',
    column: 'amount',
    config: { min: 0, max: 100_000 },
    action: 'drop',
    maxFailedPercent: 1,
  },
  row_count: { id: 'not-empty', type: 'row_count', config: { min: 1 }, action: 'warn' },
  email: { id: 'valid-email', type: 'email', column: 'email', action: 'warn' },
  phone: { id: 'valid-phone', type: 'phone', column: 'phone', action: 'warn' },
  regex: {
    id: 'sku-format',
    type: 'regex',
    column: 'sku',
    config: { pattern: '^[A-Z]{2}-[0-9]{4}$' },
    action: 'drop',
    maxFailedRows: 10,
  },
  allowed_values: {
    id: 'known-region',
    type: 'allowed_values',
    column: 'region',
    config: { values: ['eu', 'us'], caseSensitive: false },
    action: 'fail',
  },
  date_range: { id: 'recent', type: 'date_range', column: 'placed', config: { min: '-30d' }, action: 'warn' },
  no_future_date: {
    id: 'not-in-future',
    type: 'no_future_date',
    column: 'placed',
    config: { toleranceMinutes: 5, timezone: 'Europe/Berlin' },
    action: 'fail',
  },
  no_negative: { id: 'no-negative-amount', type: 'no_negative', column: 'amount', action: 'drop' },
  foreign_key: {
    id: 'known-customer',
    type: 'foreign_key',
    column: 'customer_id',
    config: { refTable: 'customers', refColumn: 'id' },
    action: 'warn',
  },
  duplicate_detection: {
    id: 'no-duplicates',
    type: 'duplicate_detection',
    config: { keys: ['name', 'city'], fuzzy: 'normalized' },
    action: 'warn',
  },
  custom_sql: {
    id: 'positive-totals',
    type: 'custom_sql',
    config: { sql: 'SELECT * FROM input WHERE total < 0' },
    action: 'fail',
  },
};
