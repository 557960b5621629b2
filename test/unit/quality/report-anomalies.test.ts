import { describe, expect, it } from 'vitest';
import type { Anomaly } from '../../../shared/domains/quality/scans/history.ts';
import { anomalyFindings, protectedFindings } from '../../../shared/domains/quality/scans/report-anomalies.ts';

const scan = { id: 'scan', workspaceId: 'w', sourceId: 'datasets', schemaName: '', tableName: 'people' };
const figures = { season: 'none', observed: 900, expected: 5, expectedLow: 4, expectedHigh: 6, score: 40 } as const;
const anomalies: Anomaly[] = [
  { ...figures, kind: 'volume', columnName: null },
  { ...figures, kind: 'mean', columnName: 'salary' },
  { ...figures, kind: 'null_share', columnName: 'salary' },
];

describe('anomalies', () => {
  it('are an issue of the table and of each column, without figures', () => {
    const findings = anomalyFindings(scan, { anomalies });
    expect(findings).toMatchObject([
      { issueType: 'volume_anomaly', columnName: null, message: expect.stringContaining('far above') },
      { issueType: 'distribution_anomaly', columnName: 'salary', message: expect.stringContaining('share of nulls') },
    ]);
    expect(JSON.stringify(findings)).not.toContain('900');
  });

  it('are one issue without column and direction if a model protects the table', () => {
    const findings = protectedFindings(scan, { anomalies });
    expect(findings).toMatchObject([{ issueType: 'distribution_anomaly', columnName: null, message: null }]);
    expect(JSON.stringify(findings)).not.toMatch(/salary|above/);
    expect(protectedFindings(scan, { anomalies: [] })).toEqual([]);
  });
});
