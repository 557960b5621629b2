import type { Principal } from '../../../platform/auth/principal.ts';
import type { NamedReferrer, ReferrerKind } from '../../../platform/storage/referrers.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { isSameUse, referencesTo, type UsedKind } from '../../../platform/storage/uses.ts';
import { openSubjects } from '../../tenancy/subjects/index.ts';
import { NOTIFIED_KINDS } from '../subject-kinds/index.ts';

/** The referrers that the reader may know of; names of the others say what they are about. */
export async function seenReferrers(
  table: Table,
  reader: Principal,
  referrers: readonly NamedReferrer[],
): Promise<NamedReferrer[]> {
  const subjects = openSubjects(table, NOTIFIED_KINDS);
  const found = await Promise.all(referrers.map(({ type, id }) => subjects.find(reader, { type, id })));
  return referrers.filter((_referrer, index) => found[index]);
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
