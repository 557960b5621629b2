import {
  assertRawSql,
  canonicalTimezone,
  type DownloadLinks,
  datasetRights,
  describeStatement,
  formatOf,
  mentionedDatasets,
  type QueryDeps,
  type QueryJobCommand,
  type QueryJobKeys,
  type QueryJobReport,
  queryJobKeys,
  type RowRights,
  rightsOf,
  rowsAsFile,
  sameRights,
} from '../../../../shared/domains/semantics/queries/index.ts';
import { mayQuoteRows } from '../../../../shared/domains/semantics/row-rights/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { Content, ContentElsewhere } from '../../../../shared/platform/http/content.ts';
import { JsonText } from '../../../../shared/platform/http/json-text.ts';
import { cancelJob, type JobContext, startJob } from '../../../../shared/platform/jobs/jobs.ts';
import { type Job, type StoredJob, showJob } from '../../../../shared/platform/jobs/record.ts';
import type { ObjectStore } from '../../../../shared/platform/objects/object-store.ts';
import type { StartQueryJob } from '../schemas.ts';

interface Deps extends Pick<QueryDeps, 'datasets' | 'engine' | 'live' | 'rights'> {
  jobs: JobContext;
  objects: ObjectStore;
  links: DownloadLinks;
}

/** All workspaces share twenty workers; no workspace may occupy most of them. */
const MAX_ACTIVE = 5;

/** Starts a statement that may take minutes. It is checked first, so that an invalid statement is rejected at once. */
export async function startQueryJob(
  deps: Deps,
  { principal, jobId, ...body }: StartQueryJob & { principal: Principal; jobId: string },
): Promise<Job> {
  const { workspaceId } = principal;
  if ((await deps.jobs.jobs.active(workspaceId, 'query')) >= MAX_ACTIVE) {
    throw new AppError('TOO_MANY_QUERY_JOBS', { retryAfterSeconds: 10 });
  }
  const timezone = canonicalTimezone(body.timezone);
  const { rights, datasets } = await describeStatement(deps, { ...body, principal, workspaceId });
  const { fingerprint, restrictions } = rights;
  const stored = { rights: rightsOf(principal, fingerprint), restrictions, datasets };
  const command: QueryJobCommand = { ...body, timezone, ...stored };
  const { command: key } = queryJobKeys(workspaceId, jobId);
  await deps.objects.write(key, Buffer.from(JSON.stringify(command)), 'application/json');
  const trigger = { kind: 'manual', scheduledAt: null, actor: principal.userId } as const;
  const job = { id: jobId, workspaceId, kind: 'query', subjectId: jobId, trigger, input: {} } as const;
  return showJob(await startJob(deps.jobs, job, 'SERVICE_BUSY'));
}

interface Named {
  workspaceId: string;
  id: string;
}

type OfCaller = Pick<Named, 'id'> & { principal: Principal };

export async function getQueryJob(deps: Deps, { principal, id }: OfCaller): Promise<Job> {
  const { workspaceId } = principal;
  return showTo(deps, principal, await findQueryJob(deps, { workspaceId, id }));
}

export async function cancelQueryJob(deps: Deps, { principal, id }: OfCaller): Promise<Job> {
  const { workspaceId } = principal;
  return showTo(deps, principal, await cancelJob(deps.jobs, await findQueryJob(deps, { workspaceId, id })));
}

/** Errors of statements quote rows, so their messages are for callers who may see the same rows, as the result is. */
async function showTo(deps: Deps, principal: Principal, job: StoredJob): Promise<Job> {
  const shown = showJob(job);
  if (!job.error || !mayQuoteRows(job.error) || (await mayReadRows(deps, principal, job))) return shown;
  const message =
    'The message may quote rows, and the query may have run with other permissions than yours. Run it yourself to see the message.';
  return { ...shown, error: { ...job.error, message } };
}

async function mayReadRows(deps: Deps, principal: Principal, { workspaceId, id }: StoredJob): Promise<boolean> {
  const keys = queryJobKeys(workspaceId, id);
  if (!(await deps.objects.find(keys.command))) return false;
  const { rights } = await readCommand(deps, keys);
  try {
    return sameRights(rights, await rightsNow(deps, principal, keys));
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

const readCommand = async ({ objects }: Pick<Deps, 'objects'>, keys: QueryJobKeys): Promise<QueryJobCommand> =>
  JSON.parse((await objects.read(keys.command)).toString('utf8'));

/** A page of the rows, or a link to all of them as Parquet. The cursor is the page number. */
export async function readQueryJobResult(
  deps: Deps,
  named: { principal: Principal; id: string; cursor: number; contentType: string },
): Promise<Content | ContentElsewhere> {
  const { workspaceId } = named.principal;
  const { status } = await findQueryJob(deps, { workspaceId, id: named.id });
  if (status !== 'succeeded') throw new AppError('QUERY_JOB_NOT_SUCCEEDED', { detail: `The job is ${status}.` });
  const keys = queryJobKeys(workspaceId, named.id);
  const report = JSON.parse((await deps.objects.read(keys.report)).toString('utf8')) as QueryJobReport;
  if (!sameRights(report.rights, await rightsNow(deps, named.principal, keys))) {
    throw new AppError('FORBIDDEN', { detail: 'The job ran with other permissions than yours.' });
  }
  const { contentType, cursor } = named;
  const format = formatOf(contentType);
  const headers = {
    'x-row-count': String(report.rowCount),
    'x-truncated': String(report.truncated),
    'x-as-of': report.asOf,
  };
  if (format === 'parquet') {
    const { downloadUrl, expiresAt } = await deps.links.sign(keys.file, 'result.parquet');
    return new ContentElsewhere({ downloadUrl, expiresAt, bytes: report.fileBytes, contentType }, headers);
  }
  if (cursor >= report.pages) {
    const message = `must be below ${report.pages}`;
    throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/query/cursor', code: 'MAXIMUM', message }] });
  }
  const payload = (await deps.objects.read(keys.page(cursor))).toString('utf8');
  const nextCursor = cursor + 1 < report.pages ? String(cursor + 1) : null;
  const { columns, rowCount, truncated, warnings, asOf } = report;
  if (format === 'rows') {
    const { text } = JsonText.of({ columns, rowCount, truncated, warnings, asOf, nextCursor }, { rows: payload });
    return new Content(text, { headers });
  }
  const page = rowsAsFile({ columns, rowCount, truncated, warnings, payload, ms: 0, bytes: 0 }, format);
  const link: Record<string, string> = nextCursor === null ? {} : { link: `<?cursor=${nextCursor}>; rel="next"` };
  return new Content(Buffer.from(page.payload, 'base64'), {
    fileName: `result-${cursor}.${format}`,
    headers: { ...headers, ...link },
  });
}

/** The rights of the reader by now, to what the job has read. */
async function rightsNow(deps: Deps, principal: Principal, keys: QueryJobKeys): Promise<RowRights> {
  const command = await readCommand(deps, keys);
  const { workspaceId } = principal;
  if (command.sourceId !== undefined) {
    await assertRawSql(deps, principal, command.sourceId);
    return rightsOf(principal, 'all');
  }
  const datasets = command.datasets ?? (await mentionedDatasets(deps, { ...command, workspaceId }));
  return rightsOf(principal, (await datasetRights(deps, principal, datasets)).fingerprint);
}

async function findQueryJob({ jobs }: Pick<Deps, 'jobs'>, { workspaceId, id }: Named): Promise<StoredJob> {
  const job = await jobs.jobs.get(workspaceId, id);
  if (job?.kind !== 'query') throw new AppError('QUERY_JOB_NOT_FOUND');
  return job;
}
