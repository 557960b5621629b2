import { describe, expect, it } from 'vitest';
import { recordFinding, recordResolved } from '../../../shared/domains/quality/issues/record-finding.ts';
import type { QualityIssue } from '../../../shared/domains/quality/issues/records.ts';
import { issueRepository } from '../../../shared/domains/quality/issues/repository.ts';
import {
  afterAbsence,
  afterDecision,
  afterFinding,
  type Finding,
  idOfPlace,
} from '../../../shared/domains/quality/issues/rules.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { itemsBelow } from '../../../shared/platform/storage/query-items.ts';
import { useLocalTable } from '../../support/local-table.ts';

const NOW = new Date('2026-03-10T12:00:00Z');
const finding = (findingId: string, body: Partial<Finding> = {}): Finding => ({
  workspaceId: 'w',
  table: { sourceId: 'datasets', schemaName: '', tableName: 'orders' },
  issueType: 'volume_anomaly',
  severity: 'high',
  title: 'Fewer rows than usual',
  message: null,
  findingId,
  ...body,
});
const opened = (): QualityIssue => afterFinding(undefined, finding('1'), NOW)!.next;

describe('an issue', () => {
  it('is opened by the first finding, and counts further ones once each', () => {
    const first = afterFinding(undefined, finding('1'), NOW)!;
    expect(first).toMatchObject({ edge: 'opened', next: { status: 'open', occurrences: 1 } });
    expect(afterFinding(first.next, finding('1'), NOW)).toBeUndefined();
    const second = afterFinding(first.next, finding('2', { severity: 'low' }), NOW)!;
    expect(second).toMatchObject({ next: { status: 'open', occurrences: 2, severity: 'low' } });
    expect(second.edge).toBeUndefined();
  });

  it('is fixed when nothing is found any more, and comes back', () => {
    const fixed = afterAbsence(opened(), NOW)!;
    expect(fixed).toMatchObject({ edge: 'resolved', next: { status: 'fixed', resolutionNote: 'auto' } });
    expect(afterAbsence(fixed.next, NOW)).toBeUndefined();
    expect(afterFinding(fixed.next, finding('2'), NOW)).toMatchObject({
      edge: 'opened',
      next: { status: 'open', reopenedCount: 1, resolutionNote: null, resolvedAt: null },
    });
  });

  it('stays ignored until the time that a person has chosen', () => {
    const ignoreUntil = '2026-03-11T00:00:00.000Z';
    const ignored = afterDecision(opened(), { status: 'ignored', by: 'ada', ignoreUntil }, NOW).next;
    expect(ignored.history).toMatchObject([{ status: 'open' }, { status: 'ignored', by: 'ada' }]);
    const before = afterFinding(ignored, finding('2'), NOW)!;
    expect(before).toMatchObject({ next: { status: 'ignored', occurrences: 2 } });
    expect(before.edge).toBeUndefined();
    const after = afterFinding(before.next, finding('3'), new Date('2026-03-12T00:00:00Z'))!;
    expect(after).toMatchObject({ edge: 'opened', next: { status: 'open', ignoreUntil: null, reopenedCount: 0 } });
    const elsewhere = '2026-03-11T00:00:00+02:00';
    const inZone = afterDecision(opened(), { status: 'ignored', by: 'ada', ignoreUntil: elsewhere }, NOW).next;
    expect(inZone.ignoreUntil).toBe('2026-03-10T22:00:00.000Z');
    const late = new Date('2026-03-10T23:00:00Z');
    for (const stored of [inZone, { ...inZone, ignoreUntil: elsewhere }]) {
      expect(afterFinding(stored, finding('2'), late)!.next.status).toBe('open');
    }
    const forever = afterDecision(opened(), { status: 'ignored', by: 'ada' }, NOW).next;
    expect(afterFinding(forever, finding('2'), new Date('2036-01-01'))!.next.status).toBe('ignored');
    expect(afterAbsence(ignored, NOW)).toBeUndefined();
  });

  it('reports what people decide only when it opens or is fixed', () => {
    const decide = (before: QualityIssue, status: QualityIssue['status']) =>
      afterDecision(before, { status, by: 'ada' }, NOW);
    expect(decide(opened(), 'in_progress').edge).toBeUndefined();
    const fixed = decide(opened(), 'fixed');
    expect(fixed.edge).toBe('resolved');
    expect(decide(fixed.next, 'open').edge).toBe('opened');
    expect(decide(opened(), 'ignored').edge).toBeUndefined();
  });
});

describe('the store of issues', () => {
  const local = useLocalTable();

  it('keeps one issue and one event however often and at the same time it is found', async () => {
    const deps = { table: local.open(), now: () => NOW };
    const workspaceId = newId();
    const found = (id: string) => recordFinding(deps, finding(id, { workspaceId }));
    await Promise.all(['1', '1', '2', '3'].map(found));
    const issue = await issueRepository(deps.table).get(workspaceId, idOfPlace(finding('1', { workspaceId })));
    expect(issue!.status).toBe('open');
    expect(issue!.occurrences).toBeGreaterThanOrEqual(3);
    await recordResolved(deps, finding('1', { workspaceId }));
    await recordResolved(deps, finding('1', { workspaceId }));
    const outbox = itemsBelow(deps.table, { pk: `W#${workspaceId}#OUTBOX`, sk: '' });
    const events = await Array.fromAsync(outbox, ({ event }) => event);
    expect(events.sort()).toEqual(['quality.issue_opened', 'quality.issue_resolved']);
  });
});

describe('fixed issues', () => {
  const local = useLocalTable();

  it('are removed a year later, when another issue opens', async () => {
    const table = local.open();
    const workspaceId = newId();
    const issues = issueRepository(table);
    const at = (iso: string) => ({ table, now: () => new Date(iso) });
    const of = (columnName: string) => ({ ...finding(newId()), workspaceId, columnName });
    await recordFinding(at('2024-01-01T00:00:00Z'), of('fixed'));
    await recordResolved(at('2024-02-01T00:00:00Z'), of('fixed'));
    await recordFinding(at('2024-01-01T00:00:00Z'), of('open'));
    const names = async () => (await issues.readAll(workspaceId)).map(({ columnName }) => columnName).sort();
    await recordFinding(at('2025-01-30T00:00:00Z'), of('early'));
    expect(await names()).toEqual(['early', 'fixed', 'open']);
    await recordFinding(at('2025-02-02T00:00:00Z'), of('late'));
    expect(await names()).toEqual(['early', 'late', 'open']);
  });
});
