import { compileContextText } from './context-variables.ts';
import type { Exchange } from './exchange.ts';
import type { Stage } from './model.ts';

/** Destination of access logs; CloudWatch Logs implements it. */
export interface LogSink {
  append(group: string, stream: string, lines: { timestamp: number; message: string }[]): void;
}

/** Prepares a stage's access log: one line per exchange, in the format that the stage declares. */
export function compileAccessLog(
  { logGroup, format }: NonNullable<Stage['accessLog']>,
  sink: LogSink,
): (exchange: Exchange, endedAt: number) => void {
  const line = compileContextText(format);
  return (exchange, endedAt) => {
    const message = line({ exchange, latencyMs: endedAt - exchange.receivedAt });
    sink.append(logGroup, exchange.stage.api.id, [{ timestamp: exchange.receivedAt, message }]);
  };
}
