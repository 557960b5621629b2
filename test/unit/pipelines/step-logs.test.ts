import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLogTail, StepLog } from '../../../shared/pipelines/step-logs.ts';
import { newId } from '../../../shared/storage/ids.ts';
import { RunPlane } from './run-plane.ts';

let plane: RunPlane;
beforeAll(async () => {
  plane = await RunPlane.open();
});
afterAll(() => plane.close());

/** The tail of a log with these messages, stored in parts of so many lines. */
async function tailOf(messages: readonly string[], linesOfPart: number) {
  const prefix = `W/${plane.workspaceId}/runs/${newId()}`;
  const log = new StepLog(plane.worker.objects, prefix, { mask: (text) => text, now: () => new Date() });
  for (const [index, message] of messages.entries()) {
    log.write('info', message);
    if ((index + 1) % linesOfPart === 0) await log.flush();
  }
  await log.flush();
  return readLogTail(plane.worker.objects, prefix);
}

const numbered = (count: number, text = '') => Array.from({ length: count }, (_, index) => `${index} ${text}`);

describe('the tail of a log', () => {
  it.each([
    [999, 100],
    [1000, 1000],
    [1000, 300],
  ])('has all of %i lines in parts of %i', async (count, linesOfPart) => {
    const messages = numbered(count);
    const tail = await tailOf(messages, linesOfPart);
    expect(tail).toMatchObject({ truncated: false });
    expect(tail!.lines.map(({ message }) => message)).toEqual(messages);
  });

  it.each([2000, 400])('has the last thousand of 1,001 lines, in parts of %i', async (linesOfPart) => {
    const messages = numbered(1001);
    const tail = await tailOf(messages, linesOfPart);
    expect(tail).toMatchObject({ truncated: true });
    expect(tail!.lines.map(({ message }) => message)).toEqual(messages.slice(1));
  });

  it.each([1000, 50])('has the last mebibyte of long lines, in parts of %i', async (linesOfPart) => {
    const messages = numbered(400, 'x'.repeat(3900));
    const tail = await tailOf(messages, linesOfPart);
    expect(tail!.truncated).toBe(true);
    const kept = tail!.lines.map(({ message }) => message);
    expect(kept).toEqual(messages.slice(-kept.length));
    const bytes = tail!.lines.reduce((sum, line) => sum + JSON.stringify(line).length + 1, 0);
    expect(bytes).toBeLessThanOrEqual(1024 * 1024);
    expect(bytes).toBeGreaterThan(1024 * 1024 - 4100);
    expect(tail!.totalBytes).toBeGreaterThan(1.5 * 1024 * 1024);
  });

  it('cuts a message after 4,000 characters, and is not there without a line', async () => {
    const tail = await tailOf(['x'.repeat(4000), 'y'.repeat(4001)], 10);
    expect(tail!.lines.map(({ message }) => message.length)).toEqual([4000, 4000]);
    expect(await tailOf([], 10)).toBeUndefined();
  });
});
