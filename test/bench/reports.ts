import { CloudWatchLogsClient, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import type { Platform } from './platform.ts';

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

/** The reports of a function, by the name of its folder, since an instant (ms). */
export async function reportsOf(platform: Platform, name: string, since: number): Promise<InvocationReport[]> {
  const { LoggingConfig, FunctionName } = await platform.functionOf(name);
  const logGroupName = LoggingConfig?.LogGroup ?? `/aws/lambda/${FunctionName}`;
  const client = new CloudWatchLogsClient(platform.awsClient);
  const reports: InvocationReport[] = [];
  try {
    for await (const { events = [] } of paginateFilterLogEvents({ client }, { logGroupName, startTime: since })) {
      for (const { message = '' } of events) {
        const report = parseReport(message);
        if (report) reports.push(report);
      }
    }
  } finally {
    client.destroy();
  }
  return reports;
}

/** The most memory (MB) that any environment of the function has had by its invocations since an instant (ms). */
export async function peakMemoryOf(platform: Platform, name: string, since: number): Promise<number> {
  const reports = await reportsOf(platform, name, since);
  if (reports.length === 0) throw new Error(`${name} was not called`);
  return Math.max(...reports.map(({ maxMemoryMb }) => maxMemoryMb));
}
