import { setTimeout as sleep } from 'node:timers/promises';
import { CloudWatchLogsClient, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import type { Platform } from './platform.ts';

const COPIED_WITHIN_MS = 120_000;

/** What Lambda says of an invocation. */
export interface InvocationReport {
  durationMs: number;
  memoryMb: number;
  /** The most that the function's environment has used since its start. */
  maxMemoryMb: number;
  /** Only of an invocation that had to wait for a new environment. */
  initMs?: number;
}

/** Undefined for a log line that is no report. */
export function parseReport(message: string): InvocationReport | undefined {
  const [, duration, memory, most] =
    /^REPORT .*\tDuration: ([\d.]+) ms\t.*\tMemory Size: (\d+) MB\tMax Memory Used: (\d+) MB\t/.exec(message) ?? [];
  if (duration === undefined) return undefined;
  const [, init] = /\tInit Duration: ([\d.]+) ms\t/.exec(message) ?? [];
  return {
    durationMs: Number(duration),
    memoryMb: Number(memory),
    maxMemoryMb: Number(most),
    ...(init === undefined ? {} : { initMs: Number(init) }),
  };
}

/** Waits until an engine has made a native copy of the dataset. */
export async function untilCopied(platform: Platform, datasetId: string): Promise<void> {
  const isCopy = (message: string) =>
    message.includes('native copy of a table') && message.includes(datasetId) && message.includes('"made"');
  for (const until = performance.now() + COPIED_WITHIN_MS; performance.now() < until; await sleep(500)) {
    for await (const message of logOf(platform, 'engine', 0)) if (isCopy(message)) return;
  }
  throw new Error(`no engine has copied ${datasetId}`);
}

async function* logOf(platform: Platform, name: string, startTime: number): AsyncGenerator<string> {
  const { LoggingConfig, FunctionName } = await platform.functionOf(name);
  const logGroupName = LoggingConfig?.LogGroup ?? `/aws/lambda/${FunctionName}`;
  const client = new CloudWatchLogsClient(platform.awsClient);
  try {
    for await (const { events = [] } of paginateFilterLogEvents({ client }, { logGroupName, startTime })) {
      for (const { message = '' } of events) yield message;
    }
  } finally {
    client.destroy();
  }
}

/** The reports of a function, by the name of its folder, since an instant (ms). */
export async function reportsOf(platform: Platform, name: string, since: number): Promise<InvocationReport[]> {
  const reports: InvocationReport[] = [];
  for await (const message of logOf(platform, name, since)) {
    const report = parseReport(message);
    if (report) reports.push(report);
  }
  return reports;
}

/** The most memory (MB) that any environment of the function has had by its invocations since an instant (ms). */
export async function peakMemoryOf(platform: Platform, name: string, since: number): Promise<number> {
  const reports = await reportsOf(platform, name, since);
  if (reports.length === 0) throw new Error(`${name} was not called`);
  return Math.max(...reports.map(({ maxMemoryMb }) => maxMemoryMb));
}
