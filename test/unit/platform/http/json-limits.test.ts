import { expect, it } from 'vitest';
import { MAX_STORED_NESTING, nestedPlace } from '../../../../shared/platform/http/json-limits.ts';

const nested = (depth: number): object => (depth === 1 ? {} : { a: nested(depth - 1) });

it('JSON that an item of the table holds may be nested up to a limit, beyond which the place is reported', () => {
  expect(nestedPlace(nested(MAX_STORED_NESTING), MAX_STORED_NESTING)).toBeUndefined();
  expect(nestedPlace(nested(MAX_STORED_NESTING + 1), MAX_STORED_NESTING)).toBe('/a'.repeat(MAX_STORED_NESTING));
});
