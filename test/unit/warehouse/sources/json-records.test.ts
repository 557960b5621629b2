import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cursorAt, recordsOf } from '../../../../shared/data/connectors/rows/json-records.ts';
import { placeAt } from '../../../../shared/data/connectors/rows/json-text.ts';

const MOST = 1_000;
const records = (text: string, pointer?: string) => [...recordsOf(text, pointer, MOST)];

it('reports a record that is nested too deep for any program that reads it', () => {
  const deep = `[{"a":${'['.repeat(200_000)}1${']'.repeat(200_000)}}]`;
  const read = () => [...recordsOf(deep, undefined, deep.length)];
  expect(read).toThrow(expect.objectContaining({ code: 'FILE_UNREADABLE' }));
});

describe('a place in a JSON text', () => {
  it('is where the parsed text has the value that a pointer leads to', () => {
    const names = fc.constantFrom('a', 'b/c', '~', '', '0', 'd"\\', '\u00e9');
    const texts = fc.constantFrom('', '"', '\\', '\\"', '[{', ']}', ',:', '\n');
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, true, false, 0, -1.5, 1e21),
        texts,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(names, tie('value'), { maxKeys: 4 }),
      ),
    }));
    const path = fc.array(fc.oneof(names, fc.constantFrom('0', '1', '2')), { maxLength: 4 });
    fc.assert(
      fc.property(value, path, fc.constantFrom(undefined, 2, '\t\r\n'), (content, steps, indent) => {
        const text = ` ${JSON.stringify(content, null, indent)}\n`;
        const pointer = steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
        const found = steps.reduce<unknown>((within, step) => {
          const isThere = typeof within === 'object' && within !== null && Object.hasOwn(within, step);
          return isThere ? (within as Record<string, unknown>)[step] : undefined;
        }, JSON.parse(text));
        const place = placeAt(text, pointer);
        expect(place && JSON.parse(text.slice(place.start, place.end))).toEqual(found);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is that of the last of two members with one name', () => {
    expect(records('{"a":[{"n":1}],"\\u0061":[{"n":2}]}', '/a')).toEqual(['{"n":2}']);
  });

  it('is in no text that is cut off or goes on behind its end', () => {
    const whole = '{"a": [{"n": 1}, {"n": "x\\""}], "next": null}';
    for (let length = 0; length < whole.length; length++) {
      expect(() => placeAt(whole.slice(0, length), undefined), whole.slice(0, length)).toThrow('not valid JSON');
    }
    for (const text of [`${whole}]`, `${whole} 1`, '[{}] {}', '', ' ']) {
      expect(() => records(text, '/a'), text).toThrow('not valid JSON');
    }
    for (const text of [
      '[{"n":1},]',
      '[{"n":1} {"n":2}]',
      '[{"n":1},,{"n":2}]',
      '[{n:1}]',
      '[{"n":01}]',
      '[{"n":1]}',
    ]) {
      expect(() => records(text), text).toThrow('not valid JSON');
    }
  });
});

describe('the records of an answer', () => {
  it('keep every digit, one to a line', () => {
    expect(records('{"a": [ {"n": 12345678901234567890},\n {"n":\n1.10}, {"n": -0}, {"n": 1e2} ]}', '/a')).toEqual([
      '{"n": 12345678901234567890}',
      '{"n": 1.10}',
      '{"n": -0}',
      '{"n": 1e2}',
    ]);
    expect(records('[{"n": 1, "n": 2}]')).toEqual(['{"n": 1, "n": 2}']);
    expect(records('{"n":\n1}')).toEqual(['{"n": 1}']);
    expect(records('{"a": null}', '/a')).toEqual([]);
  });

  it('are objects, of a limited length each', () => {
    expect(() => records('{}', '/a')).toThrow('The answer at /a contains no records.');
    expect(() => records('[{"n":1}, [2]]')).toThrow('The answer must contain objects only; see record 2.');
    const long = JSON.stringify([{ n: 1 }, { n: 'x'.repeat(MOST) }]);
    expect(() => records(long)).toThrow(expect.objectContaining({ code: 'RESULT_TOO_LARGE' }));
  });

  it('take little more memory than their text, however many they are', () => {
    const module = JSON.stringify(
      new URL('../../../../shared/data/connectors/rows/json-records.ts', import.meta.url).href,
    );
    const script = `
      const { MAX_RECORD_LENGTH, recordsOf } = await import(${module});
      const text = '[' + '{"a":1.10},'.repeat(600_000) + '{"a":2}]';
      let count = 0;
      for (const record of recordsOf(text, undefined, MAX_RECORD_LENGTH)) count += record.length > 0 ? 1 : 0;
      console.log(count);`;
    const node = spawnSync(process.execPath, ['--max-old-space-size=100', '--input-type=module', '-e', script]);
    expect(node.stdout.toString()).toBe('600001\n');
  });
});

describe('the cursor of an answer', () => {
  it('is a text or a number with all its digits, and nothing where there is none', () => {
    const answer = '{"a": "x y", "b": 12345678901234567890, "c": null, "d": "", "e": false, "f": {"g": 0}}';
    const cursors = ['/a', '/b', '/c', '/d', '/e', '/f/g', '/h'].map((pointer) => cursorAt(answer, pointer));
    expect(cursors).toEqual(['x y', '12345678901234567890', undefined, undefined, undefined, '0', undefined]);
    expect(() => cursorAt(answer, '/f')).toThrow('must be a text or a number');
  });
});
