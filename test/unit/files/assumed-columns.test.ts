import { writeFile } from 'node:fs/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Engine } from '../../../shared/data/duckdb/engine.ts';
import type { CsvOptions } from '../../../shared/data/files/csv-dialect.ts';
import { assumeFile } from '../../../shared/data/files/file-relation.ts';
import { convertToParquet } from '../../../shared/data/files/read-file.ts';
import { cases } from '../../support/cases.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { openTestEngine } from '../engine/open-test-engine.ts';

const ALWAYS = { beginningBytes: 2_000, fromBytes: 0 };
const NEVER = { beginningBytes: 0, fromBytes: Number.POSITIVE_INFINITY };

afterEach(() => {
  vi.restoreAllMocks();
});

let files = 0;

/** What becomes of a file: its rows with their columns, or an error. */
async function outcomeOf(engine: Engine, dir: string, path: string, options: object, sizes: typeof ALWAYS) {
  const out = `${dir}/out-${++files}.parquet`;
  const converted = await convertToParquet(engine, { path, format: 'csv', options }, out, sizes).catch(
    ({ message }: Error) => message,
  );
  if (typeof converted === 'string') return converted;
  const { columns, rows, rejected, changes } = converted;
  await engine.attach('out', [out]);
  const data = await engine.run('SELECT out::VARCHAR FROM out');
  return { columns, rows, rejected, changes, data };
}

type Value = (row: number, random: () => number) => string;

const VALUES: Value[] = [
  (row) => String(row),
  (row) => String(row / 8),
  (_, random) => String(Math.floor(random() * 1e6)),
  (row) => `region ${row % 7}`,
  (row) => (row % 2 === 0 ? 'true' : 'false'),
  (row) => `2026-01-${String(1 + (row % 28)).padStart(2, '0')}`,
  (row) => `2026-01-05 10:${String(row % 60).padStart(2, '0')}:00`,
  (row) => `"text, ${row}"`,
  (row) => (row % 3 === 0 ? '' : String(row)),
  () => '',
  (row) => `1e${row % 5}`,
  (row) => `${row}-${row}`,
];

/** What may come after a regular beginning. */
const LATER = [
  ...[
    '007',
    '1.5',
    '-0',
    'x',
    ' 5',
    '""',
    '"7"',
    '',
    'true',
    'nan',
    '1e5',
    '2026-01-31',
    '2026-02-30',
    '"a\nb"',
    'a"b',
  ],
  ...[
    '9223372036854775808',
    '1,2',
    'ü',
    '"open',
    '\u0000',
    '2026-01-05T10:00:00',
    '+5',
    '5.',
    't',
    'e5',
    'E+5',
    'Infinity',
  ],
];
const [INVALID, CUT_OFF] = [Buffer.from([0xff]), Buffer.from([0xc3])];

const OPTIONS: CsvOptions[] = [{}, {}, { raggedRows: 'pad' }, { header: false }, { dateFormat: '%b %d %Y' }];

function fileOf(random: () => number): Buffer {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const columns = Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(VALUES));
  const rows = 300 + Math.floor(random() * 600);
  const end = pick(['\n', '\n', '\r\n']);
  const lines = [columns.map((_, i) => `c${i}`).join(',')];
  const odd = random() < 0.8 ? Math.floor(random() * rows) : -1;
  for (let row = 0; row < rows; row += 1) {
    const values = columns.map((value) => value(row, random));
    if (row === odd) values[Math.floor(random() * values.length)] = pick(LATER);
    lines.push(values.join(','));
  }
  const text = Buffer.from(lines.join(end) + pick(['', end]));
  const broken = random() < 0.05 ? pick([INVALID, CUT_OFF]) : Buffer.alloc(0);
  const at = Math.floor(random() * text.length);
  return Buffer.concat([text.subarray(0, at), broken, text.subarray(at)]);
}

describe('a CSV file that is read while its bytes are looked at', () => {
  it('becomes the same as one whose bytes are looked at before', async () => {
    const { engine, dir } = await openTestEngine();
    const path = `${dir}/file.csv`;
    const [interrupt, copy] = [vi.spyOn(engine, 'interrupt'), vi.spyOn(engine, 'copyToParquet')];
    let [confirmed, stopped] = [0, 0];
    for (let seed = 1; seed <= cases(120, 1_000); seed += 1) {
      const random = seededRandom(seed);
      const options = OPTIONS[Math.floor(random() * OPTIONS.length)]!;
      await writeFile(path, fileOf(random));
      const expected = await outcomeOf(engine, dir, path, options, NEVER);
      const isAssumed = await assumeFile(engine, { path, format: 'csv', options }, ALWAYS);
      interrupt.mockClear();
      copy.mockClear();
      const found = await outcomeOf(engine, dir, path, options, ALWAYS);
      expect({ seed, found }).toEqual({ seed, found: expected });
      if (interrupt.mock.calls.length > 0) stopped += 1;
      else if (isAssumed && copy.mock.calls.length === 1) confirmed += 1;
    }
    // Otherwise this test would compare one path with itself.
    expect(confirmed).toBeGreaterThan(cases(20, 150));
    expect(stopped).toBeGreaterThan(cases(5, 50));
  }, 600_000);

  it('is read again if a value far behind its beginning is of another type', async () => {
    const { engine, dir } = await openTestEngine();
    const path = `${dir}/file.csv`;
    const rows = Array.from({ length: 200_000 }, (_, row) => `${row},${row}`);
    await writeFile(path, `id,code\n${rows.join('\n')}\n7,007\n`);
    const found = await outcomeOf(engine, dir, path, {}, ALWAYS);
    expect(found).toMatchObject({
      rows: 200_001,
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'code', type: 'string' },
      ],
    });
    expect(found).toEqual(await outcomeOf(engine, dir, path, {}, NEVER));
  });

  it('is rejected for an invalid byte at its end, in the words of a file that is checked before', async () => {
    const { engine, dir } = await openTestEngine();
    const path = `${dir}/file.csv`;
    const rows = Array.from({ length: 1_000 }, (_, row) => `${row},text`);
    await writeFile(path, Buffer.concat([Buffer.from(`id,name\n${rows.join('\n')}`), CUT_OFF]));
    const found = await outcomeOf(engine, dir, path, {}, ALWAYS);
    expect(found).toMatch('not valid UTF-8');
    expect(found).toEqual(await outcomeOf(engine, dir, path, {}, NEVER));
  });
});
