import {
  allowCopy,
  type CopiesDeps,
  type ListedCopy,
  listCopies,
} from '../../../../shared/domains/pipelines/copies/index.ts';
import { findPart, protectedPlaces } from '../../../../shared/domains/semantics/models/index.ts';
import type { CopyKind } from '../../../../shared/domains/semantics/row-rights/index.ts';
import { type PageOf, pageOf } from '../../../../shared/platform/storage/page.ts';
import type { EditCommand } from '../use-cases/context.ts';
import { showPolicy } from '../views.ts';
import type { PolicyDetails } from './schemas.ts';

type Place = Pick<EditCommand, 'workspaceId' | 'modelId'>;

/** The policy with what copies the table that it protects. */
export async function policyDetails(
  deps: CopiesDeps,
  { policyId, ...place }: Place & { policyId: string },
): Promise<PolicyDetails> {
  const definition = await deps.definitions.read(place);
  const policy = findPart(definition, 'policies', policyId);
  const { sourceSchema: schema, sourceTable: table } = definition.tables.get(policy.tableId)!;
  const copies = await listCopies(deps, definition, [{ schema, table }]);
  return { ...showPolicy(definition, policy), copies };
}

/** What copies anything that the model protects. */
export async function listProtectedCopies(
  deps: CopiesDeps,
  { limit, offset, ...place }: Place & { limit: number; offset: number },
): Promise<PageOf<ListedCopy>> {
  const definition = await deps.definitions.read(place);
  const copies = await listCopies(deps, definition, protectedPlaces(definition));
  return pageOf(copies, { limit, offset }, (copy) => copy);
}

export async function decideCopy(
  deps: CopiesDeps,
  {
    kind,
    copyId: id,
    allowed,
    userId,
    ...place
  }: Place & {
    kind: CopyKind;
    copyId: string;
    allowed: boolean;
    userId: string;
  },
): Promise<ListedCopy> {
  return allowCopy(deps, await deps.definitions.read(place), { kind, id, allowed, userId });
}
