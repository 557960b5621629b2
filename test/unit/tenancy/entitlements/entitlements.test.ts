import { describe, expect, it } from 'vitest';
import {
  type CompanyEntitlements,
  resolveEntitlements,
  type StoredLicence,
} from '../../../../shared/platform/entitlements/entitlements.ts';
import { assertUsable } from '../../../../shared/platform/entitlements/product-check.ts';

const NOTHING: CompanyEntitlements = { tier: 'team', switches: {}, plans: {}, trials: {} };
const plan = { planKey: 'growth', overageOptIn: false, draft: false, allowance: 10 };
const licence: StoredLicence = {
  id: 'l',
  companyId: 'c',
  tier: 'enterprise',
  products: ['pipelines'],
  notBefore: '2026-03-01T00:00:00.000Z',
  validUntil: '2026-04-01T00:00:00.000Z',
  uploadedBy: 'u',
  uploadedAt: '2026-03-01T00:00:00.000Z',
};
const DURING = new Date('2026-03-15T12:00:00Z');

describe('entitlements', () => {
  it('include nothing but BI without a licence, a trial or a plan', () => {
    expect(resolveEntitlements(NOTHING, {}, DURING)).toEqual({
      tier: 'team',
      licensed: { pipelines: false, warehouse: false },
      availability: { pipelines: true, warehouse: true },
    });
  });

  it.each([
    ['2026-03-30T00:00:00.000Z', true],
    ['2026-03-31T23:59:59.999Z', true],
    ['2026-04-01T00:00:00.000Z', false],
  ])('include a product on trial until the end of its last day in UTC (%s: %s)', (now, isLicensed) => {
    const trials = { warehouse: '2026-03-31', bi: '2026-03-31' };
    const { licensed, tier } = resolveEntitlements({ ...NOTHING, trials }, {}, new Date(now));
    expect(licensed).toEqual({ pipelines: false, warehouse: isLicensed });
    expect(tier).toBe(isLicensed ? 'business' : 'team');
    const check = () => assertUsable({ ...NOTHING, trials }, {}, 'warehouse', new Date(now));
    if (isLicensed) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: 'PRODUCT_NOT_LICENSED' }));
  });

  it.each([
    ['2026-02-28T23:59:59.999Z', 'business', false],
    ['2026-03-01T00:00:00.000Z', 'enterprise', true],
    ['2026-03-31T23:59:59.999Z', 'enterprise', true],
    ['2026-04-01T00:00:00.000Z', 'business', false],
  ] as const)('take the tier and the products of a licence while it is valid (%s: %s)', (now, tier, isLicensed) => {
    const company = { ...NOTHING, tier: 'business' as const, licence };
    const entitlements = resolveEntitlements(company, {}, new Date(now));
    expect(entitlements).toMatchObject({ tier, licensed: { pipelines: isLicensed, warehouse: false } });
    expect(entitlements.availability === null).toBe(isLicensed);
  });

  it('give the tier enterprise to a licence alone, whatever is stored', () => {
    expect(resolveEntitlements({ ...NOTHING, tier: 'enterprise' }, {}, DURING).tier).toBe('business');
    expect(
      resolveEntitlements({ ...NOTHING, tier: 'business', licence: { ...licence, tier: 'team' } }, {}, DURING).tier,
    ).toBe('team');
  });

  it('add the products of plan rows and trials to those of the licence', () => {
    const company = { ...NOTHING, licence, plans: { warehouse: { product: 'warehouse' as const, ...plan } } };
    expect(resolveEntitlements(company, {}, DURING).licensed).toEqual({ pipelines: true, warehouse: true });
  });

  it('follow the switch of the company, then that of the platform, and distinguish turned off from not licensed', () => {
    const plans = { pipelines: { product: 'pipelines' as const, ...plan } };
    const availability = (own: object, platform: object) =>
      resolveEntitlements({ ...NOTHING, switches: own }, platform, DURING).availability!.pipelines;
    expect(availability({}, {})).toBe(true);
    expect(availability({}, { pipelines: false })).toBe(false);
    expect(availability({ pipelines: true }, { pipelines: false })).toBe(true);
    expect(availability({ pipelines: false }, {})).toBe(false);
    expect(() => assertUsable({ ...NOTHING, plans }, { pipelines: false }, 'pipelines', DURING)).toThrow(
      expect.objectContaining({ code: 'PRODUCT_TURNED_OFF' }),
    );
    expect(() => assertUsable(NOTHING, { pipelines: false }, 'pipelines', DURING)).toThrow(
      expect.objectContaining({ code: 'PRODUCT_NOT_LICENSED' }),
    );
    expect(() => assertUsable({ ...NOTHING, licence }, { pipelines: false }, 'pipelines', DURING)).not.toThrow();
  });
});
