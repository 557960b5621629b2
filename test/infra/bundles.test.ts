import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { budgetKb, bundleKb } from '../../infra/build/budget.ts';
import { type Bundle, findBundles } from '../../infra/build/bundles.ts';
import { build } from '../../infra/build/index.ts';

const ROOT = join(import.meta.dirname, '../..');

let bundles: Bundle[];
beforeAll(async () => {
  await build();
  bundles = await findBundles(ROOT);
}, 120_000);

describe('the bundles', () => {
  it('are each within the budget, so that no function starts slowly', async () => {
    const sizes = await Promise.all(
      bundles.map(async (bundle) => ({
        name: bundle.name,
        kb: Math.round(await bundleKb(ROOT, bundle)),
        budgetKb: budgetKb(bundle),
      })),
    );
    expect(sizes.length).toBeGreaterThan(15);
    expect(sizes.filter(({ kb, budgetKb }) => kb > budgetKb)).toEqual([]);
  });
});
