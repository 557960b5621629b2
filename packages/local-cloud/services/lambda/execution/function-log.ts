import type { LoggingConfig } from '../model.ts';
import type { Status } from './outcome.ts';

/** Destination of a function's log events; CloudWatch Logs implements it. */
export interface LogSink {
  append(group: string, stream: string, lines: { timestamp: number; message: string }[]): void;
}

export interface Report {
  requestId: string;
  status: Status;
  errorType?: string;
  durationMs: number;
  memorySizeMb: number;
  peakRssBytes: number;
  initDurationMs?: number;
}

/** Bytes of an invocation's log in `LogType: Tail`. */
const TAIL_BYTES = 4096;

/** Writes the log stream of one environment: the function's log, and Lambda's START, END and REPORT. */
export class FunctionLog {
  readonly #sink: LogSink;
  readonly #config: LoggingConfig;
  readonly #stream: string;
  readonly #now: () => number;
  #tail: string[] | undefined;

  constructor(sink: LogSink, config: LoggingConfig, stream: string, now: () => number) {
    this.#sink = sink;
    this.#config = config;
    this.#stream = stream;
    this.#now = now;
  }

  write(message: string): void {
    this.#sink.append(this.#config.LogGroup, this.#stream, [{ timestamp: this.#now(), message }]);
    this.#tail?.push(`${message}\n`);
  }

  initStart(runtime: string): void {
    this.#system(`INIT_START Runtime Version: ${runtime}`, 'platform.initStart', { runtimeVersion: runtime });
  }

  start(requestId: string, version: string, keepTail: boolean): void {
    this.#tail = keepTail ? [] : undefined;
    this.#system(`START RequestId: ${requestId} Version: ${version}`, 'platform.start', { requestId, version });
  }

  timedOut(requestId: string, timeoutSeconds: number): void {
    const at = new Date(this.#now()).toISOString();
    this.write(`${at} ${requestId} Task timed out after ${timeoutSeconds.toFixed(2)} seconds`);
  }

  report(report: Report): void {
    const { requestId, status } = report;
    const durationMs = Number(report.durationMs.toFixed(2));
    const billedDurationMs = Math.ceil(report.durationMs + (report.initDurationMs ?? 0));
    const maxMemoryUsedMB = Math.ceil(report.peakRssBytes / 1024 / 1024);
    const initDurationMs = report.initDurationMs === undefined ? undefined : Number(report.initDurationMs.toFixed(2));
    this.#system(`END RequestId: ${requestId}`, 'platform.runtimeDone', {
      requestId,
      status,
      ...(report.errorType && { errorType: report.errorType }),
      metrics: { durationMs },
    });
    const fields = [
      `REPORT RequestId: ${requestId}`,
      `Duration: ${durationMs} ms`,
      `Billed Duration: ${billedDurationMs} ms`,
      `Memory Size: ${report.memorySizeMb} MB`,
      `Max Memory Used: ${maxMemoryUsedMB} MB`,
      ...(initDurationMs === undefined ? [] : [`Init Duration: ${initDurationMs} ms`]),
      ...(status === 'success' ? [] : [`Status: ${status}`]),
      ...(report.errorType ? [`Error Type: ${report.errorType}`] : []),
    ];
    this.#system(`${fields.join('\t')}\t`, 'platform.report', {
      requestId,
      status,
      ...(report.errorType && { errorType: report.errorType }),
      metrics: {
        durationMs,
        billedDurationMs,
        memorySizeMB: report.memorySizeMb,
        maxMemoryUsedMB,
        ...(initDurationMs !== undefined && { initDurationMs }),
      },
    });
  }

  /** The last 4 KB of an invocation with `keepTail`. */
  takeTail(): Buffer {
    const tail = Buffer.from((this.#tail ?? []).join(''));
    this.#tail = undefined;
    return tail.subarray(Math.max(0, tail.length - TAIL_BYTES));
  }

  #system(text: string, type: string, record: Record<string, unknown>): void {
    if (this.#config.LogFormat === 'Text') {
      this.write(text);
    } else if ((this.#config.SystemLogLevel ?? 'INFO') !== 'WARN' || (record.status ?? 'success') !== 'success') {
      this.write(JSON.stringify({ time: new Date(this.#now()).toISOString(), type, record }));
    }
  }
}
