import { type PipelineUsage, readMonth, usageCounters } from '../../../../shared/domains/pipelines/store/index.ts';
import { datasetRepository } from '../../../../shared/domains/warehouse/datasets/index.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import type { PipelineRepository } from '../repository.ts';
import type { MonthUsage, UsageBreakdown } from '../schemas.ts';

interface Deps {
  table: Table;
  pipelines: PipelineRepository;
}

const showUsage = ({ execution_seconds, rows_moved, bytes_moved, runs }: PipelineUsage) => ({
  executionSeconds: execution_seconds,
  rowsMoved: rows_moved,
  bytesMoved: bytes_moved,
  runs,
});

/** The usage of a workspace in a month; the same sums as in the product usage. */
export async function readUsage(deps: Deps, query: { workspaceId: string; month: string }): Promise<MonthUsage> {
  return { month: query.month, ...showUsage(await readMonth(deps.table, query.workspaceId, query.month)) };
}

/** The usage of a month by pipeline and by sink. Deleted pipelines stay under their last name. */
export async function readUsageBreakdown(
  deps: Deps,
  query: { workspaceId: string; month: string },
): Promise<UsageBreakdown> {
  const { workspaceId, month } = query;
  const [pipelines, sinks] = await Promise.all([
    usageCounters(deps.table, workspaceId, month, 'PIPELINE#'),
    usageCounters(deps.table, workspaceId, month, 'SINK#'),
  ]);
  const names = await deps.pipelines.names(
    workspaceId,
    pipelines.map(({ part }) => part),
  );
  const targets = sinks.map(({ part, usage }) => {
    const [kind, ...id] = part.split('#');
    return { kind: kind!, id: id.join('#'), usage };
  });
  const datasets = await datasetRepository(deps.table).getMany(
    workspaceId,
    targets.filter(({ kind }) => kind === 'dataset').map(({ id }) => id),
  );
  const nameOf = new Map(datasets.map(({ id, name }) => [id, name]));
  return {
    month,
    pipelines: pipelines.map(({ part, usage }) => ({
      pipelineId: part,
      name: names.get(part) ?? null,
      ...showUsage(usage),
    })),
    sinks: targets.map(({ kind, id, usage }) => ({
      kind,
      id,
      name: nameOf.get(id) ?? null,
      rowsMoved: usage.rows_moved,
      bytesMoved: usage.bytes_moved,
    })),
  };
}
