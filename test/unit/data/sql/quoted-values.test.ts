import { describe, expect, it } from 'vitest';
import { messageWithoutValues, quotesValue } from '../../../../shared/data/sql/quoted-values.ts';
import { DataError } from '../../../../shared/platform/errors/data-error.ts';

const of = (message: string, members: object) =>
  new DataError('SQL_ERROR', message, { cause: Object.assign(new Error(message), members) });

const ERRORS = {
  'a cast in Postgres': [of('invalid input syntax for type integer: "a"', { severity: 'ERROR', code: '22P02' }), true],
  'a key in Postgres': [of('Key (id)=(7) already exists.', { severity: 'ERROR', code: '23505' }), true],
  'a function of Postgres that raises': [of('a is not allowed', { severity: 'ERROR', code: 'P0001' }), true],
  'a column in Postgres': [of('column "b" does not exist', { severity: 'ERROR', code: '42703' }), false],
  'a value in MySQL': [of("Incorrect integer value: 'a'", { code: 'ER_X', sqlState: 'HY000' }), true],
  'a column in MySQL': [of("Unknown column 'b'", { code: 'ER_BAD_FIELD_ERROR', sqlState: '42S22' }), false],
  'a cast of the engine': [
    of(`Conversion Error: Could not convert string 'a' to INT32`, { message: `Conversion Error: of 'a'` }),
    true,
  ],
  'a broken connection': [of('The connection broke.', { code: 'EPIPE' }), false],
  'one of our own': [new DataError('SCHEMA_MISMATCH', 'There is no column b.'), false],
} as const;

describe('an error', () => {
  it.each(Object.entries(ERRORS))('of %s quotes a value or not, also as the cause of another', (_what, [error, is]) => {
    const outer = new DataError('SQL_ERROR', 'outer', { cause: error });
    expect([quotesValue(error), quotesValue(outer)]).toEqual([is, is]);
    expect(messageWithoutValues(error) === error.message).toBe(!is);
  });
});
