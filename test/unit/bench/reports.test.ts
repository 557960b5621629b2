import { describe, expect, it } from 'vitest';
import { parseReport } from '../../bench/reports.ts';

describe('parseReport', () => {
  const report =
    'REPORT RequestId: 1-a\tDuration: 12.30 ms\tBilled Duration: 13 ms\tMemory Size: 512 MB\tMax Memory Used: 90 MB\t';

  it('reads what Lambda says of an invocation', () => {
    expect(parseReport(report)).toEqual({ durationMs: 12.3, memoryMb: 512, maxMemoryMb: 90 });
  });

  it('distinguishes a start from a call that found an environment', () => {
    expect(parseReport(`${report}Init Duration: 180.25 ms\t`)).toMatchObject({ initMs: 180.25 });
  });

  it('passes over other lines', () => {
    expect(parseReport('START RequestId: 1-a Version: $LATEST')).toBeUndefined();
    expect(parseReport('{"message":"REPORT"}')).toBeUndefined();
  });
});
