import type { Principal } from '../../../platform/auth/principal.ts';
import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { resolveAudience } from '../recipients/index.ts';
import { type AlertRecord, sharesRows } from '../rules/index.ts';
import { type AlertOpenDeps, type OpenedCondition, ownerOf, personalCondition, readerFor } from '../sources/index.ts';

const AT_ONCE = 8;

/** People who see the same rows of what a rule reads, and one of them with whose rights it is read. */
export interface ReaderClass {
  key: string;
  /** Which of the class may see what is read now. */
  lasting: string;
  opened: OpenedCondition;
  reader: Principal;
  isOwners: boolean;
  isProtected: boolean;
}

interface Place {
  alert: AlertRecord;
  companyId: string;
  owner: Principal;
}

/**
 * The classes of the owner and of the people whom the rule notifies. Where nothing is protected there is one, without
 * reading the people. Throws the not-found error of what the owner may not see.
 */
export async function classesOf(
  deps: { table: AlertOpenDeps['rights']['table']; reading: AlertOpenDeps },
  { alert, companyId, owner }: Place,
): Promise<ReaderClass[]> {
  const own = await personalCondition(deps.reading, owner, alert);
  const { opened, classKey, lasting, isProtected } = own;
  const classes = new Map<string, ReaderClass>([
    [classKey, { key: classKey, lasting, opened, reader: owner, isOwners: true, isProtected }],
  ]);
  const isOne = sharesRows(alert) || (!isProtected && !opened.differsByPerson);
  if (isOne) return [...classes.values()];
  const { people } = await resolveAudience(deps.table, alert);
  const others = [...people.keys()].filter((userId) => userId !== owner.userId);
  await inParallel(AT_ONCE, others, async (userId) => {
    const person = await personOf(deps.reading, { alert, companyId, userId });
    if (!person || classes.has(person.key)) return;
    classes.set(person.key, { ...person, isOwners: false });
  });
  return [...classes.values()];
}

/**
 * A person whom the rule notifies, with the class of what they are notified of: their own, or that of the owner who
 * shares it. Undefined if that may not be seen, or has left.
 */
export async function personOf(
  deps: AlertOpenDeps,
  { alert, companyId, userId }: { alert: AlertRecord; companyId: string; userId: string },
): Promise<Omit<ReaderClass, 'isOwners'> | undefined> {
  const reader = sharesRows(alert)
    ? await ownerOf(deps, alert, companyId)
    : await readerFor(deps, { workspaceId: alert.workspaceId, companyId, userId });
  if (!reader) return undefined;
  try {
    const { opened, classKey: key, lasting, isProtected } = await personalCondition(deps, reader, alert);
    return { key, lasting, opened, reader, isProtected };
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
