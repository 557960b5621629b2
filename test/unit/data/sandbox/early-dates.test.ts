import { expect, it } from 'vitest';
import { csvOf } from '../../../../shared/data/sandbox/cells.ts';

const columns = [
  { name: 'day', type: 'date' },
  { name: 'at', type: 'timestamp' },
];

it('accepts the years before 1 and after 9999 that code receives', () => {
  const rows = [
    ['-0043-03-15', '-0043-03-15T10:00:00.500Z'],
    ['0000-12-31T00:00:00.000Z', '12024-01-01T00:00:00.000Z'],
  ];
  expect(csvOf(rows, columns).csv).toBe(
    '"-0043-03-15","-0043-03-15T10:00:00.500Z"\n"0000-12-31","12024-01-01T00:00:00.000Z"\n',
  );
  expect(() => csvOf([['-0043-02-30', null]], columns)).toThrow('is not an exact date');
});
