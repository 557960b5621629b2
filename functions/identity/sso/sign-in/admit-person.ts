import type {
  Identities,
  IdentityProvider,
  SsoDomains,
} from '../../../../shared/domains/identity/identity-providers/index.ts';
import type { GroupMemberships } from '../../../../shared/domains/tenancy/groups/index.ts';
import {
  isTrustedAddress,
  type NewMember,
  type UserRecord,
  type WorkspaceRecord,
} from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { ROLES, type Role } from '../../../../shared/platform/auth/permissions.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import {
  domainOf,
  isEmailAddress,
  isSameAddress,
  whyConfusable,
} from '../../../../shared/platform/text/email-address.ts';
import type { Accounts } from '../accounts.ts';
import { type ProvenPerson, SsoRefusal } from '../person.ts';

export interface AdmitDeps {
  accounts: Accounts;
  identities: Identities;
  domains: SsoDomains;
  memberships: GroupMemberships;
  /** A person of the company whom provisioning has removed, by the address of then. */
  removedNamed(companyId: string, email: string): Promise<UserRecord | undefined>;
  newId: () => string;
  now: () => Date;
}

const MAX_NAME = 200;
const MAX_EMAIL = 254;

/**
 * The account of a person whom the provider has proven: by the subject; the first time by an address in a verified
 * domain of the provider, within its company only; or a new one, if the provider makes members. Throws `SsoRefusal`.
 */
export async function admitPerson(
  deps: AdmitDeps,
  provider: IdentityProvider,
  person: ProvenPerson,
): Promise<UserRecord> {
  const user = await onNewest('STALE_WRITE', () => knownOrNew(deps, provider, person));
  const isMember = await onNewest('STALE_WRITE', () => joined(deps, provider, person, user));
  if (!isMember) throw new SsoRefusal('SSO_ACCESS_DENIED', 'the person is a member of no workspace');
  await followGroups(deps, provider, person, user);
  // Before the sign-in: what it may see follows from them.
  await deps.identities.saveClaims(provider, user, person.claims);
  return user;
}

async function knownOrNew(deps: AdmitDeps, provider: IdentityProvider, person: ProvenPerson): Promise<UserRecord> {
  const { accounts, identities } = deps;
  const userId = await identities.userOf(provider, person.subject);
  const known = userId === undefined ? undefined : await accounts.user(userId);
  if (userId !== undefined) {
    const user = usable(provider, known);
    if (await provesAddress(deps, provider, person, user)) await accounts.proveAddress(user);
    return user;
  }
  const email = await provenEmail(deps, provider, person);
  const named = await accounts.userByEmail(email);
  const at = deps.now().toISOString();
  if (named) {
    const user = usable(provider, named);
    if (!isTrustedAddress(user)) {
      throw new SsoRefusal('SSO_ACCESS_DENIED', 'the address of the account was changed and has not been confirmed');
    }
    if (!isVouchedFor(provider, person)) {
      throw new SsoRefusal('SSO_ACCESS_DENIED', 'the provider has not verified the address of an account (trustsMail)');
    }
    // The provider has named the account by another subject before: its address was given to another person.
    if (await identities.has(provider, user.id)) {
      // Or another sign-on of the same person has linked it just now.
      if ((await identities.userOf(provider, person.subject)) !== undefined) throw new AppError('STALE_WRITE');
      throw new SsoRefusal('SSO_ACCOUNT_CONFLICT');
    }
    const taken = accounts.takenOver(user, deps.now());
    // After what ended with a removal or with the password, also by a clock that is behind.
    const linkedAt = later(taken.user.identitiesEndedAt ?? user.createdAt, deps.now());
    const link = identities.linkItems(provider, { subject: person.subject, userId: user.id, at: linkedAt });
    if (!(await accounts.write({ also: [...taken.items, ...link] }))) throw new AppError('STALE_WRITE');
    return taken.user;
  }
  return newUser(deps, provider, person, email, at);
}

/** Whether the provider vouches that the present address of a known person is theirs, after others have set it. */
async function provesAddress(
  deps: AdmitDeps,
  provider: IdentityProvider,
  person: ProvenPerson,
  { email, addressChange }: UserRecord,
): Promise<boolean> {
  if (!addressChange || !person.email || !isSameAddress(person.email, email)) return false;
  if (!isVouchedFor(provider, person)) return false;
  const verified = await deps.domains.verified(provider);
  return verified.has(domainOf(email)) && isOfHostedDomain(provider, person, verified);
}

/** The account, if it may sign in through the provider. */
function usable({ companyId }: IdentityProvider, user: UserRecord | undefined): UserRecord {
  if (!user) throw new SsoRefusal('SSO_ACCESS_DENIED', 'the account does not exist any more');
  if (user.companyId !== companyId) throw new SsoRefusal('SSO_ACCESS_DENIED', 'the account is of another company');
  if (!user.active) throw new SsoRefusal('SSO_ACCESS_DENIED', 'the account is deactivated');
  return user;
}

/** Neither is an account given away nor one made on an address that the provider does not vouch for. */
export const isVouchedFor = (
  { oidc }: Pick<IdentityProvider, 'oidc'>,
  { isEmailVerified }: Pick<ProvenPerson, 'isEmailVerified'>,
) => isEmailVerified ?? oidc?.trustsMail ?? false;

/** Google signs in people of every company at one issuer: its own claim names the company's domain. */
export const isOfHostedDomain = (
  provider: Pick<IdentityProvider, 'oidc'>,
  { hostedDomain }: Pick<ProvenPerson, 'hostedDomain'>,
  verified: ReadonlySet<string>,
): boolean => provider.oidc?.issuer.replace(/\/$/, '') !== GOOGLE || verified.has((hostedDomain ?? '').toLowerCase());

const GOOGLE = 'https://accounts.google.com';

/** A provider speaks for the addresses of its own domains only. */
async function provenEmail({ domains }: AdmitDeps, provider: IdentityProvider, person: ProvenPerson): Promise<string> {
  const { email, isEmailVerified } = person;
  if (email === undefined || email.length > MAX_EMAIL || !isEmailAddress(email)) {
    throw new SsoRefusal('SSO_EMAIL_MISSING');
  }
  const why = whyConfusable(email);
  if (why !== undefined) throw new SsoRefusal('SSO_EMAIL_CONFUSABLE', `the address ${why}`);
  if (isEmailVerified === false) throw new SsoRefusal('SSO_ACCESS_DENIED', 'the provider has not verified the address');
  const verified = await domains.verified(provider);
  if (!verified.has(domainOf(email))) {
    throw new SsoRefusal('SSO_ACCESS_DENIED', `${domainOf(email)} is not a verified domain of the provider`);
  }
  if (!isOfHostedDomain(provider, person, verified)) {
    throw new SsoRefusal('SSO_ACCESS_DENIED', 'the claim hd is not a verified domain of the provider');
  }
  return email;
}

async function newUser(
  deps: AdmitDeps,
  provider: IdentityProvider,
  person: ProvenPerson,
  email: string,
  at: string,
): Promise<UserRecord> {
  const workspace = await jitWorkspace(deps, provider);
  if (!workspace) throw new SsoRefusal('SSO_ACCESS_DENIED', 'the person has no account, and the provider makes none');
  // The account would be that of the owner of the address: an invitation to it gives it a role.
  if (!isVouchedFor(provider, person)) {
    throw new SsoRefusal('SSO_ACCESS_DENIED', 'the provider has not verified the address of a new person (trustsMail)');
  }
  const isRemoved = await Promise.all([
    deps.removedNamed(provider.companyId, email),
    deps.identities.hasEnded(provider, person.subject),
  ]);
  if (isRemoved.some(Boolean)) {
    throw new SsoRefusal('SSO_ACCESS_DENIED', 'provisioning (SCIM) has removed the person from the company');
  }
  const user: UserRecord = {
    id: deps.newId(),
    companyId: provider.companyId,
    companyRole: 'member',
    email,
    name: nameOf(person) ?? email,
    active: true,
    createdAt: at,
    updatedAt: at,
  };
  const isNew = await deps.accounts.write({
    user,
    member: newMember(deps, provider, person, user, workspace),
    workspaceName: workspace.name,
    also: deps.identities.linkItems(provider, { subject: person.subject, userId: user.id, at }),
  });
  if (!isNew) throw new AppError('STALE_WRITE');
  return user;
}

/** Whether the person is a member of any workspace, after joining the provider's if it makes members. */
async function joined(
  deps: AdmitDeps,
  provider: IdentityProvider,
  person: ProvenPerson,
  user: UserRecord,
): Promise<boolean> {
  const memberships = await deps.accounts.memberships(user.id);
  const isIn = memberships.some(({ workspaceId }) => workspaceId === provider.jit.workspaceId);
  const workspace = isIn ? undefined : await jitWorkspace(deps, provider);
  if (!workspace) return memberships.length > 0;
  const member = newMember(deps, provider, person, user, workspace);
  if (!(await deps.accounts.write({ account: user, member, workspaceName: workspace.name })))
    throw new AppError('STALE_WRITE');
  return true;
}

async function jitWorkspace(
  { accounts }: AdmitDeps,
  { jit, companyId }: IdentityProvider,
): Promise<WorkspaceRecord | undefined> {
  if (!jit.enabled || jit.workspaceId === null) return undefined;
  const workspace = await accounts.workspace(jit.workspaceId);
  return workspace?.companyId === companyId && !workspace.deletesAt ? workspace : undefined;
}

function newMember(
  { newId, now }: AdmitDeps,
  { jit }: IdentityProvider,
  { groups }: ProvenPerson,
  { id: userId, email, name }: UserRecord,
  { id: workspaceId }: WorkspaceRecord,
): NewMember {
  const mapped = jit.groups
    .filter(({ providerGroup }) => groups.includes(providerGroup))
    .flatMap(({ role }): Role[] => (role === null ? [] : [role]));
  const role = mapped.length > 0 ? ROLES.findLast((each) => mapped.includes(each))! : jit.role;
  const joinedAt = now().toISOString();
  return { workspaceId, userId, email, name, role, joinedAt, revision: 1, membershipId: newId() };
}

/** Membership in mapped groups is what the provider says; other groups stay as they are. */
async function followGroups(
  { memberships, now }: AdmitDeps,
  { jit }: IdentityProvider,
  { groups }: ProvenPerson,
  { id: userId }: UserRecord,
): Promise<void> {
  const { workspaceId, enabled } = jit;
  if (!enabled || workspaceId === null) return;
  const mapped = new Map<string, boolean>();
  for (const { groupId, providerGroup } of jit.groups) {
    if (groupId !== null) mapped.set(groupId, mapped.get(groupId) === true || groups.includes(providerGroup));
  }
  for (const [groupId, isMember] of mapped) {
    const group = { workspaceId, groupId };
    const change = isMember
      ? memberships.add(group, { userId, by: userId, at: now() })
      : memberships.remove(group, userId);
    await change.catch((error) => {
      // A deleted group has no members, and a person who was removed meanwhile is in none.
      if (!(error instanceof AppError && ['GROUP_NOT_FOUND', 'MEMBER_NOT_FOUND'].includes(error.code))) throw error;
    });
  }
}

/** One line, without invisible characters. */
function nameOf({ name }: ProvenPerson): string | undefined {
  const plain = name
    ?.toWellFormed()
    .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME)
    .toWellFormed();
  return plain || undefined;
}
