import type { Static } from 'typebox';
import * as Type from 'typebox';
import { TIERS } from '../../shared/platform/entitlements/entitlements.ts';
import { Id, Nullable, StrictObject, StringEnum } from '../../shared/platform/http/schemas.ts';

const Licensed = StrictObject({ licensed: Type.Boolean() });

export const EntitlementSnapshot = StrictObject(
  {
    bi: StrictObject({ tier: StringEnum(TIERS) }),
    pipelines: Licensed,
    warehouse: Licensed,
    trialGrants: Type.Record(Type.String({ pattern: '^(bi|pipelines|warehouse)$' }), Type.String({ format: 'date' }), {
      description: 'The last day of each trial, by product.',
    }),
    availability: Type.Optional(StrictObject({ pipelines: Type.Boolean(), warehouse: Type.Boolean() })),
  },
  { $id: 'EntitlementSnapshot', description: 'The products that the company may use, and until when trials last.' },
);
export type EntitlementSnapshot = Static<typeof EntitlementSnapshot>;

const card = {
  licensed: Type.Boolean(),
  planKey: Nullable(Type.String()),
  overageOptIn: Nullable(Type.Boolean()),
  draft: Nullable(Type.Boolean()),
};

const PipelinesCard = StrictObject(
  {
    ...card,
    allowance: Nullable(
      StrictObject({ execution_hours: Nullable(Type.Number()), execution_seconds: Nullable(Type.Number()) }),
    ),
    currentPeriod: StrictObject({
      execution_seconds: Type.Number(),
      rows_moved: Type.Number(),
      bytes_moved: Type.Number(),
      runs: Type.Number(),
    }),
  },
  { $id: 'PipelinesUsage', description: 'The usage by runs of pipelines.' },
);

const WarehouseCard = StrictObject(
  {
    ...card,
    allowance: Nullable(StrictObject({ storage_gb: Nullable(Type.Number()), storage_bytes: Nullable(Type.Number()) })),
    currentPeriod: StrictObject({
      storage_bytes: Type.Number({ description: 'The peak of the month.' }),
      storage_bytes_current: Type.Number({ description: 'The storage used now.' }),
      datasets: Type.Number(),
    }),
  },
  { $id: 'WarehouseUsage', description: 'The storage used by datasets of the warehouse.' },
);

export const ProductUsage = StrictObject(
  {
    month: Type.String({ pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$', description: 'A month in UTC, such as `2026-01`.' }),
    workspace_id: Id,
    products: StrictObject({ pipelines: PipelinesCard, warehouse: WarehouseCard }),
  },
  { $id: 'ProductUsage', description: 'The usage of the licensed products in the month, against their allowances.' },
);
export type ProductUsage = Static<typeof ProductUsage>;
