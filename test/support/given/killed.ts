import type { Table } from '../../../shared/platform/storage/table.ts';
import type { Api } from '../api.ts';

/** A table whose writes fail from the given one on, before or after they were made, as if the worker were killed. */
export function killedAt(api: Api, kill: { write: number; isAfter: boolean }) {
  let writes = 0;
  const db = {
    send: async (command: { constructor: { name: string } }) => {
      const isWrite = /^(Put|Update|Delete|TransactWrite|BatchWrite)/.test(command.constructor.name);
      if (!isWrite) return api.table.db.send(command as never);
      writes += 1;
      if (writes > kill.write || (writes === kill.write && !kill.isAfter)) throw new Error('killed');
      const reply = await api.table.db.send(command as never);
      if (writes === kill.write) throw new Error('killed');
      return reply;
    },
  };
  return { table: { ...api.table, db } as unknown as Table, count: () => writes };
}
