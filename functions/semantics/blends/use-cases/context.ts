import type { BlendDeps, BlendRepository } from '../../../../shared/domains/semantics/blends/index.ts';
import type { ModelRepository } from '../../../../shared/domains/semantics/models/index.ts';
import type { ObjectGrants } from '../../../../shared/domains/tenancy/grants/index.ts';
import type { DeleteUnused } from '../../../../shared/domains/upkeep/referrers/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import type { Cursors } from '../../../../shared/platform/http/cursor.ts';
import type { Ended } from '../../../../shared/platform/storage/clean-ups.ts';
import type { NamedReferrer } from '../../../../shared/platform/storage/referrers.ts';
import type { TransactItem } from '../../../../shared/platform/storage/table.ts';

export interface BlendGroupDeps extends BlendDeps {
  blends: BlendRepository;
  models: Pick<ModelRepository, 'readAll'>;
  grants: ObjectGrants;
  cursors: Cursors;
  deleteUnused: DeleteUnused;
  usedBy(reader: Principal, id: string): Promise<NamedReferrer[]>;
  cleanUpItem(ended: Ended): TransactItem;
  cleanUpNow(ended: Ended): Promise<void>;
}

export interface Named {
  workspaceId: string;
  id: string;
}
