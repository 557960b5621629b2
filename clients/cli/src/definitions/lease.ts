import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type Analytics, ApiError } from '../../../typescript/src/index.ts';
import type { Session } from '../command.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { localTime, printable } from '../output.ts';
import { emailsOf } from '../people.ts';
import type { Project } from './project.ts';

const LEASE_SECONDS = 60;
const EXTEND_EVERY_MS = 20_000;
const MAX_CLIENT = 200;

/**
 * Does the work while no other deployment of the project runs. The work ends when the lease is lost, such as on a
 * machine that was asleep.
 */
export async function withLease<T>(
  session: Session,
  project: Project,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { api, signal } = session;
  const lease = await take(session, project);
  // Callers who may change only some objects have no lease; the platform checks each change of theirs.
  if (!lease) return work(signal);
  const lost = new AbortController();
  const extend = async () => {
    try {
      await hold(session, project, lease.id);
    } catch (error) {
      if (isLeased(error)) lost.abort(await explained(api, project, error));
    }
  };
  const timer = setInterval(extend, EXTEND_EVERY_MS);
  try {
    return await work(AbortSignal.any([signal, lost.signal]));
  } catch (error) {
    lost.signal.throwIfAborted();
    throw error;
  } finally {
    clearInterval(timer);
    // It expires if the platform cannot be reached.
    await api.definitions.releaseDeploymentLease(project.name, lease.id).catch(() => undefined);
    lease.remove();
  }
}

const hold = ({ api, signal }: Session, { name }: Project, id: string) =>
  api.definitions.holdDeploymentLease(
    name,
    { id, client: printable(hostname()).slice(0, MAX_CLIENT) || 'unknown', seconds: LEASE_SECONDS },
    { signal },
  );

/** Continues under the lease of a deployment that was killed on this machine, or takes a new one. */
async function take(session: Session, project: Project): Promise<Mark | undefined> {
  for (;;) {
    const killed = claimMark(session, project);
    const mark = killed ?? newMark(session, project);
    try {
      await hold(session, project, mark.id);
      return mark;
    } catch (error) {
      mark.remove();
      if (error instanceof ApiError && error.status === 403) return undefined;
      // It had the lease in another workspace, or long ago.
      if (!(killed && isLeased(error))) throw await explained(session.api, project, error);
    }
  }
}

/**
 * A file of the user that stands for a lease while the deployment runs. Its name has the lease and the process, so that
 * renaming it gives the lease of a killed process to one other process.
 */
interface Mark {
  id: string;
  remove(): void;
}

const MARK = /^([0-9a-f]{16})\.([0-9a-f-]{36})\.(\d+)$/;

const prefixOf = ({ name }: Project): string => createHash('sha256').update(name).digest('hex').slice(0, 16);

function newMark({ settings }: Session, project: Project): Mark {
  mkdirSync(settings.deployments, { recursive: true, mode: 0o700 });
  const id = randomUUID();
  const path = join(settings.deployments, `${prefixOf(project)}.${id}.${process.pid}`);
  writeFileSync(path, '', { mode: 0o600 });
  return { id, remove: () => rmSync(path, { force: true }) };
}

function claimMark({ settings }: Session, project: Project): Mark | undefined {
  const files = existsSync(settings.deployments) ? readdirSync(settings.deployments) : [];
  for (const file of files) {
    const [, prefix, id = '', pid] = MARK.exec(file) ?? [];
    if (prefix !== prefixOf(project) || isRunning(Number(pid))) continue;
    const path = join(settings.deployments, `${prefix}.${id}.${process.pid}`);
    try {
      renameSync(join(settings.deployments, file), path);
      return { id, remove: () => rmSync(path, { force: true }) };
    } catch {
      // Another process has claimed it.
    }
  }
  return undefined;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const isLeased = (error: unknown): boolean => error instanceof ApiError && error.code === 'DEPLOYMENT_LEASED';

interface Lease {
  userId: string;
  client: string;
  startedAt: string;
  expiresAt: string;
}

/** Says who deploys, if another deployment has the lease. */
async function explained(api: Analytics, { name }: Project, error: unknown): Promise<unknown> {
  const lease = error instanceof ApiError && (error.problem as { lease?: Lease }).lease;
  if (!lease) return error;
  const { userId, client, startedAt, expiresAt } = lease;
  const emails = await emailsOf(api, [userId]);
  const who = `${emails.get(userId) ?? userId} on ${client}`;
  const message = `Another deployment of ${name} is running: by ${printable(who)}, since ${localTime(startedAt)}. Try again when it has ended; if it was killed, after ${localTime(expiresAt)}.`;
  return new CommandError(EXIT.conflict, message, 'DEPLOYMENT_LEASED', { lease });
}
