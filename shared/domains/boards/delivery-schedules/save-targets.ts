import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import { findHeaderIssues } from '../../../platform/net/header-issues.ts';
import { newId } from '../../../platform/storage/ids.ts';
import {
  changedSecret,
  checkTarget,
  leavesOrigin,
  NO_PREVIOUS_SECRET,
  originIssues,
  sealHeaders,
} from '../../events/webhooks/index.ts';
import type { DeliveryTarget, ScheduleRecord, TargetType } from './records.ts';
import type { ScheduleDeps } from './scheduled-object.ts';

/** A target as its editor gives it. With the id of a target of the schedule, omitted members keep their values. */
export interface GivenTarget {
  id?: string | undefined;
  type: TargetType;
  name?: string | undefined;
  url?: string | undefined;
  /** Null removes it. */
  secret?: string | null | undefined;
  headers?: Record<string, string> | undefined;
}

interface Saved {
  workspaceId: string;
  given: readonly GivenTarget[];
  before: readonly DeliveryTarget[];
  people: { allowsHost(host: string): boolean };
}

type Deps = Pick<ScheduleDeps<ScheduleRecord>, 'secrets' | 'guard' | 'now'>;

/** The targets as they are stored, and what is wrong with those that are not valid. Throws `ADDRESS_BLOCKED`. */
export async function savedTargets(
  deps: Deps,
  { workspaceId, given, before, people }: Saved,
): Promise<{ targets: DeliveryTarget[]; issues: Issue[] }> {
  const targets: DeliveryTarget[] = [];
  const issues: Issue[] = [];
  for (const [index, target] of given.entries()) {
    const current = before.find(({ id }) => id === target.id);
    const isTwice = target.id !== undefined && given.findIndex(({ id }) => id === target.id) !== index;
    const found = isTwice ? [issue('/id', 'DUPLICATE', 'is the id of another target of the request')] : [];
    found.push(...targetIssues(target, current, people));
    const pointer = `/targets/${index}`;
    issues.push(...found.map((each) => ({ ...each, pointer: `${pointer}${each.pointer}` })));
    if (found.length > 0) continue;
    // After the check of the host, so that requests cannot look up names of other hosts.
    if (target.url !== undefined) await checkTarget(deps.guard, target.url, `${pointer}/url`);
    targets.push(await sealed(deps, { workspaceId, target, current }));
  }
  return { targets, issues };
}

const issue = (pointer: string, code: string, message: string): Issue => ({ pointer, code, message });

function targetIssues(target: GivenTarget, current: DeliveryTarget | undefined, people: Saved['people']): Issue[] {
  const { id, type, url, secret, headers } = target;
  if (id !== undefined && !current) return [issue('/id', 'UNKNOWN', 'is not one of the targets. Omit it to add one')];
  const issues: Issue[] = [];
  if (current && current.type !== type) issues.push(issue('/type', 'IMMUTABLE', 'cannot change after creation'));
  if (!current && url === undefined) issues.push(issue('/url', 'REQUIRED', 'is required for a new target'));
  if (type !== 'webhook') {
    const message = 'is only for targets of type `webhook`: the address of a chat service is its credential';
    if (secret != null) issues.push(issue('/secret', 'NOT_APPLICABLE', message));
    if (Object.keys(headers ?? {}).length > 0) issues.push(issue('/headers', 'NOT_APPLICABLE', message));
  }
  issues.push(...findHeaderIssues(headers ?? {}));
  // A host that has been taken off the list needs to be allowed again, even if the address stays.
  const host = URL.parse(url ?? current?.origin ?? '')?.hostname;
  if (host !== undefined && !people.allowsHost(host)) {
    const message =
      'has a host that is not one of the delivery domains of the workspace; an admin can add the exact host to `deliveryDomains` with `PATCH /api/workspaces/current`';
    issues.push(issue('/url', 'DOMAIN_NOT_ALLOWED', message));
  }
  if (current && leavesOrigin({ url: current.origin }, url)) issues.push(...originIssues(current, target));
  return issues;
}

async function sealed(
  { secrets, now }: Deps,
  { workspaceId, target, current }: { workspaceId: string; target: GivenTarget; current: DeliveryTarget | undefined },
): Promise<DeliveryTarget> {
  const { type, url, secret, headers } = target;
  const origin = url === undefined ? current!.origin : originOf(url);
  const isElsewhere = current !== undefined && leavesOrigin({ url: current.origin }, url);
  const next = {
    ...(current ?? { id: newId(), headerNames: [] }),
    type,
    name: target.name ?? current?.name ?? new URL(origin).host,
    origin,
    ...(url === undefined ? {} : { sealedUrl: await secrets.seal(workspaceId, url) }),
    ...(headers ? { sealedHeaders: undefined, ...(await sealHeaders(secrets, workspaceId, headers)) } : {}),
    ...(secret === undefined ? {} : await changedSecret(secrets, { ...current, workspaceId }, secret, now())),
    ...(isElsewhere ? NO_PREVIOUS_SECRET : {}),
  };
  return Object.fromEntries(
    Object.entries(next).filter(([, value]) => value !== undefined),
  ) as unknown as DeliveryTarget;
}

function originOf(url: string): string {
  const { origin } = URL.parse(url) ?? {};
  if (origin === undefined) throw new AppError('ADDRESS_BLOCKED');
  return origin;
}
