import { fileOptionIssues } from '../../../../shared/data/files/file-options.ts';
import { formatOf } from '../../../../shared/data/files/format-of.ts';
import type { EngineFunction } from '../../../../shared/domains/engine/index.ts';
import type { Dataset, DatasetSource } from '../../../../shared/domains/warehouse/datasets/index.ts';
import type { DataSource, DataSourceRepository } from '../../../../shared/domains/warehouse/sources/index.ts';
import { AppError, type Issue } from '../../../../shared/platform/errors/app-error.ts';
import { scheduleAfter, scheduleIssues } from '../../../../shared/platform/schedule/schedule.ts';

export interface SettingsDeps {
  sources: DataSourceRepository;
  engine: Pick<EngineFunction, 'check'>;
  /** Names of all datasets in the workspace. */
  datasetNames(workspaceId: string): Promise<string[]>;
}

/** The kinds of data that each type of data source offers. */
const KINDS: Record<DataSource['type'], readonly DatasetSource['kind'][]> = {
  file: ['file'],
  s3: ['file'],
  http: ['table'],
  postgres: ['table', 'query'],
  mysql: ['table', 'query'],
};

type Settings = Pick<Dataset, 'workspaceId' | 'name' | 'source' | 'mode' | 'incremental' | 'schedule'>;

/**
 * Throws every issue of the settings as they will be stored, or `DATA_SOURCE_NOT_FOUND`. `scheduleAt` is the place of
 * the schedule in the request; the schedule replaces `current`.
 */
export async function rejectInvalidSettings(
  deps: SettingsDeps,
  settings: Settings,
  { scheduleAt = '/schedule', current = null }: { scheduleAt?: string | undefined; current?: Dataset['schedule'] } = {},
): Promise<void> {
  const { source, mode, incremental, schedule } = settings;
  const issues: Issue[] = schedule ? scheduleIssues(schedule, scheduleAt, current) : [];
  if (mode === 'incremental' && !incremental) {
    issues.push({ pointer: '/incremental', code: 'REQUIRED', message: 'is required when mode is incremental' });
  }
  if (mode === 'full' && incremental) {
    issues.push({ pointer: '/incremental', code: 'NOT_ALLOWED', message: 'is only for mode incremental' });
  }
  if (!source && scheduleAfter(schedule, current)) {
    issues.push({ pointer: scheduleAt, code: 'NOT_ALLOWED', message: 'needs a source to refresh from' });
  }
  if (source) issues.push(...(await sourceIssues(deps, settings, source)));
  if (issues.length > 0) throw new AppError('VALIDATION_FAILED', { errors: issues });
}

async function sourceIssues(deps: SettingsDeps, settings: Settings, source: DatasetSource): Promise<Issue[]> {
  const { workspaceId, name } = settings;
  if (source.kind === 'datasets') {
    const tables = await deps.datasetNames(workspaceId);
    const [answer] = await deps.engine.check([{ sql: source.sql, tables }]);
    if (!answer!.ok) return answer!.issues.map((issue) => ({ pointer: '/source/sql', ...issue }));
    const isItself = answer!.tables.some((table) => table.toLowerCase() === name.toLowerCase());
    return isItself ? [{ pointer: '/source/sql', code: 'SELF_REFERENCE', message: 'reads the dataset itself' }] : [];
  }
  const stored = await deps.sources.get(workspaceId, source.sourceId);
  if (!stored) {
    const errors = [
      { pointer: '/source/sourceId', code: 'NOT_FOUND', message: 'is not a data source of this workspace' },
    ];
    throw new AppError('DATA_SOURCE_NOT_FOUND', { errors });
  }
  if (KINDS[stored.type].includes(source.kind)) return optionIssues(source);
  return [
    { pointer: '/source/kind', code: 'NOT_ALLOWED', message: `a source of type ${stored.type} has no such data` },
  ];
}

function optionIssues(source: DatasetSource): Issue[] {
  if (source.kind !== 'file' || !source.options) return [];
  return fileOptionIssues(source.options, source.format ?? formatOf(source.path)?.format, '/source/options');
}
