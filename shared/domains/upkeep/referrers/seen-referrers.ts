import { isPermitted, type Permission } from '../../../platform/auth/permissions.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import type { NamedReferrer, ReferrerKind } from '../../../platform/storage/referrers.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { isSameUse, referencesTo, type UsedKind } from '../../../platform/storage/uses.ts';
import { openSubjects } from '../../tenancy/subjects/index.ts';
import { NOTIFIED_KINDS } from '../subject-kinds/index.ts';

const AT_ONCE = 16;

/** Kinds whose every record those with the permission may read. */
const FOR_ALL: Readonly<Record<string, Permission>> = {
  pipeline: 'pipelines:read',
  'cdc-stream': 'pipelines:read',
  blend: 'blends:read',
  'metric-digest': 'metrics:read',
};

/** The referrers that the reader may know of; names of the others say what they are about. */
export async function seenReferrers(
  table: Table,
  reader: Principal,
  referrers: readonly NamedReferrer[],
): Promise<NamedReferrer[]> {
  const subjects = openSubjects(table, NOTIFIED_KINDS);
  const isSeen = async ({ type, id }: NamedReferrer): Promise<boolean> => {
    const permission = FOR_ALL[type];
    if (permission) return isPermitted(permission, reader);
    return (await subjects.find(reader, { type, id })) !== undefined;
  };
  const seen = new Set<NamedReferrer>();
  await inParallel(AT_ONCE, referrers, async (referrer) => {
    if (await isSeen(referrer)) seen.add(referrer);
  });
  return referrers.filter((referrer) => seen.has(referrer));
}

/** What uses a record now and the reader may know of. References outlive the use that they record. */
export function seenUsers(table: Table, kinds: readonly ReferrerKind[], used: UsedKind) {
  return async (reader: Principal, id: string): Promise<NamedReferrer[]> => {
    const { workspaceId } = reader;
    const referrers = await referencesTo(table, used).read(workspaceId, id);
    const current = await Promise.all(
      referrers.map(async (referrer): Promise<NamedReferrer[]> => {
        const found = await kinds.find(({ type }) => type === referrer.type)?.read(table, workspaceId, referrer.id);
        const isUser = found?.uses.some((use) => isSameUse(use, { kind: used, id }));
        return isUser ? [{ type: referrer.type, id: referrer.id, name: found!.name }] : [];
      }),
    );
    return seenReferrers(table, reader, current.flat());
  };
}
