import type { JsonOperations } from '../../core/json-protocol.ts';
import { refuseUnknownMembers } from '../../core/operations.ts';
import type { CloudContext } from '../../core/service.ts';
import { eventOperations } from './event-operations.ts';
import { groupOperations } from './group-operations.ts';
import type { LogStore } from './log-store.ts';
import { LogResources } from './resources.ts';

/** The operations of CloudWatch Logs that reading a function's output needs. */
export function logOperations(context: CloudContext, store: LogStore): JsonOperations {
  const resources = new LogResources(context, store);
  const operations = { ...groupOperations(resources, store), ...eventOperations(context.clock, resources, store) };
  return Object.fromEntries(
    Object.entries(operations).map(([name, { members, structures, run }]) => [
      name,
      (input: Record<string, unknown>) => {
        refuseUnknownMembers('logs', name, input, members, structures);
        // What functions have just written must be seen by whoever asks now.
        store.flush();
        return run(input);
      },
    ]),
  );
}
