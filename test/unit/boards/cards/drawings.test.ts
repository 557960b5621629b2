import { expect, it } from 'vitest';
import { DEFAULT_TOKENS } from '../../../../shared/data/charts/theme.ts';
import { cardDrawings } from '../../../../shared/domains/boards/cards/index.ts';

type Drawn = Parameters<ReturnType<typeof cardDrawings>['through']>[1];

const drawn: Drawn = {
  look: { mark: { type: 'kpi' } },
  columns: [{ name: 'Amount', role: 'measure', type: 'integer', format: null }],
  rowsJson: '[[1]]',
  width: 300,
  height: 200,
  theme: DEFAULT_TOKENS,
  description: 'Amount',
};

/** A bucket in memory that records what is read and written. */
function bucket() {
  const kept = new Map<string, Buffer>();
  const calls: string[] = [];
  return {
    kept,
    calls,
    read: async (key: string) => {
      calls.push('read');
      const found = kept.get(key);
      if (!found) throw Object.assign(new Error('missing'), { name: 'NoSuchKey' });
      return found;
    },
    write: async (key: string, content: Buffer) => {
      calls.push('write');
      kept.set(key, content);
    },
  };
}

const code = (version: string) => async () => version;

it('a picture is drawn once for all that it depends on, also by other instances of a function', async () => {
  const objects = bucket();
  let draws = 0;
  const draw = async () => {
    draws += 1;
    return `<svg>${draws}</svg>`;
  };
  const first = cardDrawings(objects, code('a'));
  expect(await first.through('w1', drawn, draw)).toBe('<svg>1</svg>');
  expect(await first.through('w1', { ...drawn }, draw)).toBe('<svg>1</svg>');
  expect(objects.calls).toEqual(['read', 'write']);
  expect(await cardDrawings(objects, code('a')).through('w1', drawn, draw)).toBe('<svg>1</svg>');
  expect([...objects.kept.keys()]).toEqual([expect.stringMatching(/^results\/w1\/drawings\/[0-9a-f]{64}$/)]);

  const others: [string, Drawn][] = [
    ['w2', drawn],
    ['w1', { ...drawn, rowsJson: '[[2]]' }],
    ['w1', { ...drawn, columns: [{ ...drawn.columns[0]!, name: 'Sum' }] }],
    ['w1', { ...drawn, columns: [{ ...drawn.columns[0]!, format: '.1f' }] }],
    ['w1', { ...drawn, look: { mark: { type: 'table' } } }],
    ['w1', { ...drawn, width: 301 }],
    ['w1', { ...drawn, height: 201 }],
    ['w1', { ...drawn, theme: { ...DEFAULT_TOKENS, dark: !DEFAULT_TOKENS.dark } }],
    ['w1', { ...drawn, description: 'Another' }],
  ];
  for (const [index, [workspaceId, other]] of others.entries())
    expect(await first.through(workspaceId, other, draw)).toBe(`<svg>${index + 2}</svg>`);
  // A release that draws differently.
  expect(await cardDrawings(objects, code('b')).through('w1', drawn, draw)).toBe(`<svg>${others.length + 2}</svg>`);
});

it('a failure and a large picture are not stored', async () => {
  const objects = bucket();
  const drawings = cardDrawings(objects, code('a'));
  const failing = () => Promise.reject(new Error('not drawn'));
  await expect(drawings.through('w1', drawn, failing)).rejects.toThrow('not drawn');
  const large = 'x'.repeat(512 * 1024 + 1);
  expect(await drawings.through('w1', drawn, async () => large)).toBe(large);
  expect(await drawings.through('w1', drawn, async () => '<svg/>')).toBe('<svg/>');
  expect(objects.kept.size).toBe(1);
});
