import { AppError } from '../../../platform/errors/app-error.ts';
import { DAY_MS } from '../../../platform/schedule/durations.ts';
import { idFrom, later } from '../../../platform/storage/ids.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { isProtected } from '../protected-table.ts';
import type { StoredScan } from '../scans/records.ts';
import { nameOfTable } from '../table.ts';
import { tableOf } from '../tests/records.ts';
import { type StoredSuggestion, SUGGESTION_MS, statusAt } from './records.ts';
import { type SuggestionRepository, suggestionRepository } from './repository.ts';
import type { Candidate } from './rules.ts';

/** Pending suggestions of one table. */
export const MAX_PENDING = 5;
/** Suggestions of a workspace, of which those that someone dismissed are kept for good. */
const MAX_SUGGESTIONS = 2_000;
/** Applied and expired suggestions can be read so long. */
const KEPT_MS = 90 * DAY_MS;
const REMOVED_AT_ONCE = 100;

/** A test that passes on the rows of the scan. */
export interface TriedCandidate extends Candidate {
  evaluatedRows: number;
  estimatedFailures: number;
}

export interface ScanSuggestions {
  /** The most certain first. */
  tried: readonly TriedCandidate[];
  /** The columns of the table as far as the scan has read them. */
  columns: readonly string[];
  /** Whether there was a scan to compare with, so that a rule that is not supported no longer holds. */
  hasPrevious: boolean;
  rowCount: number;
  datasetId: string | null;
  datasetVersion: number | null;
}

interface Deps {
  table: Table;
  now(): Date;
}

const VALUE_TESTS: readonly string[] = ['allowed_values', 'value_range', 'date_range', 'regex'];

/** Whether the settings of the test are values of the table. */
export const showsValues = ({ testType }: Pick<Candidate, 'testType'>): boolean => VALUE_TESTS.includes(testType);

type Place = Pick<StoredScan, 'workspaceId' | 'tableKey'>;

/** The same for every finding of one rule, so that a rule that was dismissed is not suggested again. */
export function suggestionId(
  { workspaceId, tableKey }: Place,
  { columnName, testType, config }: Pick<Candidate, 'columnName' | 'testType' | 'config'>,
): string {
  const { refTable = '', refColumn = '' } = config as { refTable?: string; refColumn?: string };
  return idFrom('quality-suggestion', workspaceId, tableKey, columnName ?? '', testType, refTable, refColumn);
}

/**
 * Stores what a scan suggests: at most five pending suggestions per table. Earlier ones that it supports stay, and
 * those that it contradicts, or whose column is gone, expire. What people have decided does not change. Settings of
 * tests are for all who may read tests, so there are none with values of a protected table.
 */
export async function recordSuggestions(deps: Deps, scan: StoredScan, found: ScanSuggestions): Promise<void> {
  const isShown = (await isProtected(deps, scan)) ? (each: TriedCandidate) => !showsValues(each) : () => true;
  const suggestions = suggestionRepository(deps.table);
  const all = await suggestions.readAll(scan.workspaceId);
  const now = deps.now();
  const tried = new Map(found.tried.filter(isShown).map((each) => [suggestionId(scan, each), each]));
  const own = all.filter(({ tableKey }) => tableKey === scan.tableKey);
  let pending = 0;
  for (const before of own.filter((each) => statusAt(each, now) === 'pending')) {
    const support = tried.get(before.id);
    if (support) await change(suggestions, before, { ...contentOf(scan, support, found), ...lifeAt(now) }, now);
    else if (isOver(before, scan, found)) await change(suggestions, before, { status: 'expired' }, now);
    if (support || !isOver(before, scan, found)) pending += 1;
  }
  const known = new Map(own.map((each) => [each.id, each]));
  const isFull = all.length >= MAX_SUGGESTIONS;
  for (const [id, each] of tried) {
    const before = known.get(id);
    if (pending >= MAX_PENDING || (before ? statusAt(before, now) !== 'expired' : isFull)) continue;
    const content = { ...contentOf(scan, each, found), ...lifeAt(now) };
    if (before) await change(suggestions, before, content, now);
    else await suggestions.create(newSuggestion(scan, id, content, now));
    pending += 1;
  }
  await removeOld(suggestions, all, now);
}

/** Whether a pending suggestion that the scan does not support is wrong now. */
function isOver(
  { columnName }: StoredSuggestion,
  { config }: StoredScan,
  { columns, hasPrevious }: ScanSuggestions,
): boolean {
  if (columnName === null || columns.includes(columnName)) return hasPrevious;
  return config.columns === undefined;
}

type Content = Pick<
  StoredSuggestion,
  | 'datasetId'
  | 'columnName'
  | 'testType'
  | 'config'
  | 'severity'
  | 'name'
  | 'confidence'
  | 'estimatedFailures'
  | 'evidence'
>;

function contentOf(scan: StoredScan, each: TriedCandidate, found: ScanSuggestions): Content {
  const { columnName, testType, config, severity, confidence, estimatedFailures, evaluatedRows, scans, reason } = each;
  const { rowCount, datasetVersion } = found;
  return {
    ...{ columnName, testType, config, severity, confidence, estimatedFailures },
    datasetId: found.datasetId,
    name: nameOf(scan, each),
    evidence: { scanId: scan.id, datasetVersion, rowCount, evaluatedRows, scans, reason },
  };
}

const MAX_NAME = 180;

/** Names of tests are unique within a workspace and have no control characters. */
const nameOf = (scan: StoredScan, { columnName, testType }: Candidate): string =>
  [...[nameOfTable(scan), ...(columnName === null ? [] : [columnName]), testType].join(' ')]
    .slice(-MAX_NAME)
    .join('')
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ');

const lifeAt = (now: Date) => ({
  status: 'pending' as const,
  validUntil: new Date(now.getTime() + SUGGESTION_MS).toISOString(),
});

function newSuggestion(
  scan: StoredScan,
  id: string,
  content: Content & ReturnType<typeof lifeAt>,
  now: Date,
): StoredSuggestion {
  const { workspaceId, tableKey } = scan;
  const at = now.toISOString();
  const stamps = { createdAt: at, updatedAt: at };
  return { id, workspaceId, tableKey, ...tableOf(scan), ...content, testId: null, decidedBy: null, ...stamps };
}

async function change(
  suggestions: SuggestionRepository,
  before: StoredSuggestion,
  set: Partial<StoredSuggestion>,
  now: Date,
): Promise<void> {
  const next = { ...before, ...set, updatedAt: later(before.updatedAt, now) };
  await suggestions.replace(before, next, 'STALE_WRITE').catch(ignoreDecided);
}

/** Someone has applied or dismissed it at the same time. */
function ignoreDecided(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'STALE_WRITE') throw error;
}

async function removeOld(suggestions: SuggestionRepository, all: readonly StoredSuggestion[], now: Date) {
  const isOld = (each: StoredSuggestion) =>
    ['applied', 'expired'].includes(statusAt(each, now)) &&
    Date.parse(each.status === 'pending' ? each.validUntil : each.updatedAt) < now.getTime() - KEPT_MS;
  for (const each of all.filter(isOld).slice(0, REMOVED_AT_ONCE)) {
    await suggestions.remove(each, 'STALE_WRITE').catch(ignoreDecided);
  }
}
