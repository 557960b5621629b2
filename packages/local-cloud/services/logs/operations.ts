import type { JsonOperations } from '../../core/json-protocol.ts';
import { rejectUnknownMembers } from '../../core/operations.ts';
import type { CloudContext } from '../../core/service.ts';
import { eventOperations } from './event-operations.ts';
import { groupOperations } from './group-operations.ts';
import type { LogStore } from './log-store.ts';
import { LogResources } from './resources.ts';

/** The operations for writing and reading functions' output. */
export function logOperations(context: CloudContext, store: LogStore): JsonOperations {
  const resources = new LogResources(context, store);
  const operations = { ...groupOperations(resources, store), ...eventOperations(context.clock, resources, store) };
  return Object.fromEntries(
    Object.entries(operations).map(([name, { members, structures, run }]) => [
      name,
      (input: Record<string, unknown>) => {
        rejectUnknownMembers('logs', name, input, members, structures);
        // Readers must see lines that functions have just written.
        store.flush();
        return run(input);
      },
    ]),
  );
}
