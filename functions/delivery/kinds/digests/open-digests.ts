import { outboxItem } from '../../../../shared/domains/events/events/index.ts';
import type { DigestRecord, StoredDigestMail } from '../../../../shared/domains/semantics/metric-reports/index.ts';
import { metricRepository } from '../../../../shared/domains/semantics/metrics/index.ts';
import { idFrom } from '../../../../shared/platform/storage/ids.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import type { Opener } from '../stages.ts';
import { type DigestDeps, openDigest } from './deliver-digest.ts';
import { memberFigure, publishedMetrics, type ValueDeps } from './metric-values.ts';

export const openDigests: Opener<DigestRecord, StoredDigestMail> = ({ table, questions, log }) => {
  const values: ValueDeps = {
    ...questions,
    report: (error, { id }) => log.error('a metric of a digest could not be computed', { error, metricId: id }),
  };
  const metrics = metricRepository(table);
  const deps: DigestDeps = {
    metrics: (workspaceId, ids) => metrics.getMany(workspaceId, ids),
    figure: (metric, reader) => memberFigure(values, metric, reader),
    published: (found, companyId, at) => publishedMetrics(values, found, companyId, at),
    event: digestSent(table),
    now: table.now,
  };
  return { open: (run) => openDigest(deps, run) };
};

/** One event for each run of a digest. */
export const digestSent =
  (table: Table): DigestDeps['event'] =>
  ({ runId, at, ...sent }) => {
    const { workspaceId, digestId } = sent;
    const event = 'digest.sent' as const;
    const data = { ...sent, sentAt: at.toISOString(), url: `/api/metrics/digests/${digestId}` };
    return outboxItem(table, { id: idFrom(event, runId), workspaceId, event, data, at });
  };
