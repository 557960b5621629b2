import { readPeople } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';

export interface MemberPerson {
  userId: string;
  name: string;
  email: string;
}

/** Throws `MEMBER_NOT_FOUND` with the place of each person who is no active member. */
export async function assertMembers(
  table: Table,
  workspaceId: string,
  wanted: readonly { userId: string; pointer: string }[],
): Promise<void> {
  const people = await readPeople(
    table,
    workspaceId,
    wanted.map(({ userId }) => userId),
  );
  const errors = wanted
    .filter(({ userId }) => !people.get(userId)?.isActive)
    .map(({ pointer }) => ({ pointer, code: 'UNKNOWN', message: 'is not the id of a member of the workspace' }));
  if (errors.length > 0) throw new AppError('MEMBER_NOT_FOUND', { errors });
}
