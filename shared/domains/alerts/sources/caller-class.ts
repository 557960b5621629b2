import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { readerOnce } from '../../semantics/row-rights/index.ts';
import { memberPrincipal } from '../../tenancy/workspaces/index.ts';
import { type AlertRecord, sharesRows } from '../rules/index.ts';
import { openCondition } from './open-condition.ts';
import type { OpenedCondition } from './opened-condition.ts';
import type { AlertOpenDeps } from './reading-deps.ts';
import { digestOf, rightsClassOf } from './rights-class.ts';

type ReaderOnce = ReturnType<typeof readerOnce>;

/** The class of a person for what a condition reads. */
export interface PersonalClass {
  classKey: string;
  /** Values that were read as another one are hidden from the person, also if they were read for the same class. */
  lasting: string;
}

export interface PersonalCondition extends PersonalClass {
  opened: OpenedCondition;
  isProtected: boolean;
}

/**
 * The condition as the person sees it, and the class of those who see the same. Where members see another version of
 * the source, such as a draft, what is asked is a part of the class. Throws the not-found error of the source.
 */
export async function personalCondition(
  deps: AlertOpenDeps,
  principal: Principal,
  { condition, timezone }: Pick<AlertRecord, 'condition' | 'timezone'>,
  reader?: ReaderOnce,
): Promise<PersonalCondition> {
  const opened = await openCondition(deps, principal, condition, { timezone });
  const { key, lasting, isProtected } = await rightsClassOf(deps, principal, opened, reader);
  const classKey = opened.differsByPerson ? `${key}.${digestOf(opened.key)}` : key;
  return { opened, classKey, lasting, isProtected };
}

/**
 * The class of the caller; undefined if they may not see what the condition reads. With a `reader`, several conditions
 * share what is read of the caller.
 */
export async function callerClass(
  deps: AlertOpenDeps,
  principal: Principal,
  alert: Pick<AlertRecord, 'condition' | 'timezone'>,
  reader?: ReaderOnce,
): Promise<PersonalClass | undefined> {
  try {
    return await personalCondition(deps, principal, alert, reader);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** A member as they would be signed in, for reading with their rights. */
export const readerFor = (
  deps: AlertOpenDeps,
  place: { workspaceId: string; companyId: string; userId: string },
): Promise<Principal | undefined> => memberPrincipal(deps.rights.table, place);

/** The owner as they would be signed in; undefined if they have left, also if they came back as another member. */
export async function ownerOf(
  deps: AlertOpenDeps,
  { workspaceId, owner: { userId, membershipId } }: Pick<AlertRecord, 'workspaceId' | 'owner'>,
  companyId: string,
): Promise<Principal | undefined> {
  const found = await readerFor(deps, { workspaceId, companyId, userId });
  return found?.membershipId === membershipId ? found : undefined;
}

/** The class of what the caller is shown of the rule: that of the owner, if the rule shares it with the caller. */
export async function showClass(
  deps: AlertOpenDeps,
  { principal, isRecipient }: { principal: Principal; isRecipient: boolean },
  alert: Pick<AlertRecord, 'condition' | 'timezone' | 'workspaceId' | 'owner' | 'runAs' | 'shareRows'>,
  reader?: ReaderOnce,
): ReturnType<typeof callerClass> {
  if (!sharesRows(alert) || !isRecipient) return callerClass(deps, principal, alert, reader);
  const owner = await ownerOf(deps, alert, principal.companyId);
  return owner && callerClass(deps, owner, alert);
}
