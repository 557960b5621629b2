import {
  checkTest,
  columnText,
  grammarOf,
  issuePlaces,
  type QualityTestRecord,
  recordResolved,
  resolveTarget,
  type StoredTest,
  showTest,
  type Target,
  tableKey,
  testCopy,
  testSchedule,
} from '../../../../shared/domains/quality/index.ts';
import { definedItem } from '../../../../shared/domains/semantics/row-rights/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import type { TestDeps } from '../use-cases/context.ts';
import { findTest } from './find-test.ts';
import type { CreateTest, UpdateTest } from './schemas.ts';

interface Saving {
  id: string;
  principal: Principal;
}

/** More would not fit into the lists from which runs and scores are made. */
const MAX_TESTS = 1000;

/** Throws `QUALITY_TEST_NAME_TAKEN`, `TOO_MANY_QUALITY_TESTS`, and what does not fit the table. */
export async function createTest(
  deps: TestDeps,
  { id, principal, test }: Saving & { test: CreateTest },
): Promise<QualityTestRecord> {
  const { workspaceId, userId } = principal;
  const { total } = await deps.tests.list(workspaceId, { limit: 1, offset: 0 });
  if (total >= MAX_TESTS) throw new AppError('TOO_MANY_QUALITY_TESTS');
  const at = deps.now().toISOString();
  const { scheduleEnabled, cron, timezone, ...given } = test;
  const { name, description, testType, targetType, config, runOnSync, severity, isActive } = given;
  const target = await checkedTarget(deps, principal, given);
  const schedule = testSchedule(null, { scheduleEnabled, cron, timezone, runOnSync }, target);
  const record: StoredTest = {
    id,
    workspaceId,
    ...{ name, description, testType, targetType, config, runOnSync, severity, isActive },
    ...target,
    schedule,
    createdBy: userId,
    updatedBy: userId,
    createdAt: at,
    updatedAt: at,
    revision: 1,
  };
  return showTest(await deps.tests.create(record, [definedItem(deps.rights.table, testCopy(record).place, principal)]));
}

/** Throws the same codes. Issues of what the test no longer checks are fixed: no run can do so any more. */
export async function updateTest(
  deps: TestDeps & { table: Table },
  { id, principal, change }: Saving & { change: UpdateTest },
): Promise<QualityTestRecord> {
  const { workspaceId, userId } = principal;
  return onNewest('STALE_WRITE', async () => {
    const before = await findTest(deps, { workspaceId, id });
    const { scheduleEnabled, cron, timezone, ...members } = change;
    const changed = { ...withoutOldTarget(before, change), ...members };
    const isOther = isOtherTest(before, change);
    const target = isOther ? await checkedTarget(deps, principal, changed) : targetOf(before);
    const given = { scheduleEnabled, cron, timezone, runOnSync: changed.runOnSync };
    const next: StoredTest = {
      ...changed,
      ...target,
      schedule: testSchedule(before.schedule, given, target),
      updatedBy: userId,
      updatedAt: later(before.updatedAt, deps.now()),
    };
    const defined = isOther ? [definedItem(deps.table, testCopy(next).place, principal)] : [];
    const stored = await deps.tests.replace(before, next, 'STALE_WRITE', defined);
    if (isElsewhere(before, stored)) {
      const { failure, error } = issuePlaces(before);
      for (const place of [failure, error]) await recordResolved(deps, place, 'The test checks other rows now.');
    }
    return showTest(stored);
  });
}

const isElsewhere = (before: StoredTest, after: StoredTest): boolean =>
  before.tableKey !== after.tableKey || columnText(before) !== columnText(after);

const TARGET = ['sourceId', 'schemaName', 'tableName', 'columnName', 'modelId', 'tableId', 'fieldId'] as const;
/** The members that decide what is checked. */
const MEANING = [...TARGET, 'targetType', 'testType', 'config'] as const;

const isOtherTest = (before: StoredTest, change: UpdateTest): boolean =>
  MEANING.some((name) => change[name] !== undefined && JSON.stringify(change[name]) !== JSON.stringify(before[name]));

/** A new target takes nothing over from one of the other kind, nor a new field the column of the old one. */
function withoutOldTarget(before: StoredTest, change: UpdateTest): StoredTest {
  const isOther = change.targetType !== undefined && change.targetType !== before.targetType;
  const isOtherField = change.fieldId !== undefined && change.fieldId !== before.fieldId;
  if (!isOther && !isOtherField) return before;
  const kept: Partial<StoredTest> = { ...before };
  for (const name of TARGET) if (isOther || name !== 'modelId') delete kept[name];
  return kept as StoredTest;
}

const targetOf = ({
  sourceId,
  schemaName,
  tableName,
  columnName,
  modelId,
  tableId,
  fieldId,
  tableKey,
}: StoredTest) => ({
  ...{ sourceId, schemaName, tableName, columnName, modelId, tableId, fieldId, tableKey },
});

async function checkedTarget(
  deps: TestDeps,
  principal: Principal,
  test: Target & Pick<StoredTest, 'testType' | 'config'>,
) {
  const { table, ...resolved } = await resolveTarget(deps, principal.workspaceId, test);
  const { sourceId, schemaName, tableName } = table;
  const target = { sourceId, schemaName, tableName, ...resolved, tableKey: tableKey(table) };
  await checkTest(deps, principal, { table, test: grammarOf({ ...test, columnName: resolved.columnName }) });
  return target;
}
