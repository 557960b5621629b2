import type { Static } from 'typebox';
import * as Type from 'typebox';
import type { CompanyEntitlements, Switches } from '../../../../shared/platform/entitlements/entitlements.ts';
import { PRODUCTS } from '../../../../shared/platform/entitlements/products.ts';
import { StrictObject, StringEnum } from '../../../../shared/platform/http/schemas.ts';

const CompanyId = Type.String({ format: 'uuid' });
const Product = StringEnum(PRODUCTS);

/** The input of an operator who may invoke this function; see `docs/entitlements.md`. */
export const EntitlementChange = Type.Union([
  StrictObject({ change: Type.Literal('none'), companyId: CompanyId }),
  StrictObject({
    change: Type.Literal('plan'),
    companyId: CompanyId,
    product: Product,
    planKey: Type.String({ minLength: 1, maxLength: 100 }),
    overageOptIn: Type.Boolean(),
    draft: Type.Boolean(),
    allowance: Type.Union([Type.Number({ minimum: 0 }), Type.Null()]),
  }),
  StrictObject({ change: Type.Literal('no-plan'), companyId: CompanyId, product: Product }),
  StrictObject({
    change: Type.Literal('trial'),
    companyId: CompanyId,
    product: StringEnum(['bi', ...PRODUCTS]),
    lastDay: Type.String({ format: 'date' }),
  }),
  // `enterprise` comes only from a licence file.
  StrictObject({ change: Type.Literal('tier'), companyId: CompanyId, tier: StringEnum(['team', 'business']) }),
  StrictObject({
    change: Type.Literal('switch'),
    /** Null for the whole platform. */
    companyId: Type.Union([CompanyId, Type.Null()]),
    product: Product,
    /** Null removes the switch: that of the platform decides, which is on when absent. */
    on: Type.Union([Type.Boolean(), Type.Null()]),
  }),
]);
export type EntitlementChange = Static<typeof EntitlementChange>;

/** What is stored after the change; the company is absent for a switch of the platform. */
export interface ChangedEntitlements {
  company?: CompanyEntitlements;
  platform: Switches;
}
