import type { Static } from 'typebox';
import * as Type from 'typebox';
import { LICENCE_PATTERN, TIERS } from '../../../shared/platform/entitlements/licence.ts';
import { PRODUCTS } from '../../../shared/platform/entitlements/products.ts';
import { Id, Nullable, StrictObject, StringEnum, Timestamp } from '../../../shared/platform/http/schemas.ts';

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

export const Licence = Type.Object(
  {
    id: Id,
    companyId: Id,
    tier: StringEnum(TIERS),
    products: Type.Array(StringEnum(PRODUCTS)),
    notBefore: Timestamp,
    validUntil: Type.String({ format: 'date-time', description: 'The first instant at which it is no longer valid.' }),
    status: StringEnum(['active', 'expired']),
    uploadedBy: Id,
    uploadedAt: Timestamp,
  },
  {
    $id: 'Licence',
    description: 'The licence file of the company: its tier, its products, and until when it is valid.',
  },
);
export type Licence = Static<typeof Licence>;

export const UploadLicence = StrictObject(
  {
    licence: Type.String({
      maxLength: 8192,
      pattern: LICENCE_PATTERN,
      description: 'The content of the licence file, unchanged and without a line end.',
    }),
  },
  { $id: 'UploadLicence', description: 'A licence file.' },
);

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

const Month = Type.String({
  pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$',
  description: 'A month in UTC, such as `2026-01`.',
});

export const UsageQuery = Type.Object({
  month: Type.Optional(
    Type.String({ ...Month, description: 'A month in UTC, such as `2026-01`; the current one when absent.' }),
  ),
});

const Amount = Type.Number({ minimum: 0, maximum: 1_000_000_000 });

const budgets = {
  pipelines: StrictObject({ execution_hours: Nullable(Amount) }),
  warehouse: StrictObject({ storage_gb: Nullable(Amount) }),
};

export const SetBudgets = StrictObject(budgets, {
  $id: 'SetBudgets',
  description: 'Both budgets. With null, the allowance of the plan is the budget.',
});

export const Budgets = Type.Object(
  { workspaceId: Id, ...budgets, updatedBy: Nullable(Id), updatedAt: Nullable(Timestamp) },
  { $id: 'Budgets', description: 'How much the workspace should use in a month; crossing it is reported.' },
);
export type Budgets = Static<typeof Budgets>;

export const ProductUsage = StrictObject(
  {
    month: Month,
    workspace_id: Id,
    products: StrictObject({ pipelines: PipelinesCard, warehouse: WarehouseCard }),
  },
  { $id: 'ProductUsage', description: 'The usage of the licensed products in the month, against their allowances.' },
);
export type ProductUsage = Static<typeof ProductUsage>;
