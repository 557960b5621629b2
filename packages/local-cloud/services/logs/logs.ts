import { accessCheck } from '../../core/access/authorizer.ts';
import { answerJson, refuseJson } from '../../core/json-protocol.ts';
import type { CloudContext, LocalService } from '../../core/service.ts';
import { logsRequests } from '../../iam/requests/logs.ts';
import { type LogLine, LogStore } from './log-store.ts';
import { logOperations } from './operations.ts';

export interface Logs extends LocalService {
  /**
   * Accepts log events without waiting for the disk (they are written within 200 ms); creates group and stream if
   * missing.
   */
  append(group: string, stream: string, lines: LogLine[]): void;
}

const RETENTION_INTERVAL_MS = 60 * 60 * 1000;

/** CloudWatch Logs on this machine, as far as functions' output needs it. */
export function createLogs(context: CloudContext): Logs {
  const store = new LogStore(context.dataDir, context.clock);
  const operations = logOperations(context, store);
  let cancelSweep: () => void;
  const sweep = () => {
    store.applyRetention();
    cancelSweep = context.clock.schedule(context.clock.now() + RETENTION_INTERVAL_MS, sweep);
  };
  sweep();

  const checkAccess = accessCheck(context, logsRequests);

  return {
    signingName: 'logs',
    refuse: refuseJson('1.1'),
    handle: (request, response) =>
      answerJson({ name: 'logs', version: '1.1', operations, checkAccess }, request, response),
    append: (group, stream, lines) => store.append(group, stream, lines),
    async close() {
      cancelSweep();
      store.close();
    },
  };
}
