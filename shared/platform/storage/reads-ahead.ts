import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { BatchGetCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Key } from './keys.ts';
import { LatestEntries } from './latest-entries.ts';
import { readItems } from './read-items.ts';
import type { Table } from './table.ts';

type Item = Record<string, unknown>;
type Send = (command: unknown, ...options: unknown[]) => Promise<unknown>;

export interface ReadsAhead {
  /** The table as the work of `during` sees it; otherwise the table as it is. */
  table: Table;
  /**
   * Runs the work of a request. The items that an equal request has read before are read when it begins, consistently
   * and in one round, so that nothing is older than the request. They serve all reads of them, except within
   * `fromTable`. Queries are not read ahead.
   */
  during<T>(request: unknown, work: () => Promise<T>): Promise<T>;
}

/** The requests whose reads a function knows. */
const MAX_REQUESTS = 2_000;
/** For a request that reads more, few rounds are saved, and much is read in vain. */
const MAX_ITEMS = 50;

interface Round {
  table: Table;
  /** What the request reads, by the names of the items. */
  keys: Map<string, Key>;
  ahead: Map<string, Promise<Item | undefined>>;
}

const rounds = new AsyncLocalStorage<Round>();

/** For reads that must show what has been written since the request began, such as of a record after its parts. */
export const fromTable = <T>(read: () => Promise<T>): Promise<T> => rounds.exit(read);

const nameOf = ({ pk, sk }: Key): string => JSON.stringify([pk, sk]);

export function readsAhead(table: Table): ReadsAhead {
  const known = new LatestEntries<ReadonlyMap<string, Key>>(MAX_REQUESTS);

  function begin(before: ReadonlyMap<string, Key> | undefined): Round {
    const round: Round = { table, keys: new Map(), ahead: new Map() };
    if (!before || before.size === 0) return round;
    const found = readItems(table, [...before.values()]).then(
      (items) => new Map(items.map((item) => [nameOf(item as unknown as Key), item])),
    );
    for (const name of before.keys()) {
      const item = found.then((items) => items.get(name));
      // An error matters only to a read that uses it.
      item.catch(() => undefined);
      round.ahead.set(name, item);
    }
    return round;
  }

  async function send(command: unknown, ...options: unknown[]): Promise<unknown> {
    const round = rounds.getStore();
    const keys = round?.table === table ? keysOf(command, table.name) : undefined;
    if (!round || !keys) return (table.db.send as Send)(command, ...options);
    const names = keys.map(nameOf);
    for (const [index, name] of names.entries()) round.keys.set(name, keys[index]!);
    if (!names.every((name) => round.ahead.has(name))) return (table.db.send as Send)(command, ...options);
    const found = await Promise.all(names.map((name) => round.ahead.get(name)!));
    // Callers may change what they have read.
    const items = found.filter((item) => item !== undefined).map((item) => structuredClone(item));
    if (command instanceof GetCommand) return { $metadata: {}, ...(items[0] && { Item: items[0] }) };
    return { $metadata: {}, Responses: { [table.name]: items } };
  }

  return {
    table: { ...table, db: Object.create(table.db, { send: { value: send } }) as Table['db'] },

    async during(request, work) {
      const name = createHash('sha256').update(JSON.stringify(request)).digest('base64url');
      const round = begin(known.get(name));
      const result = await rounds.run(round, work);
      if (round.keys.size <= MAX_ITEMS) known.set(name, round.keys);
      return result;
    },
  };
}

/** The keys of a read of whole items. */
function keysOf(command: unknown, table: string): Key[] | undefined {
  if (command instanceof GetCommand) {
    const { Key, ProjectionExpression } = command.input;
    return ProjectionExpression === undefined ? [Key as unknown as Key] : undefined;
  }
  if (!(command instanceof BatchGetCommand)) return undefined;
  const wanted = command.input.RequestItems?.[table];
  return wanted?.ProjectionExpression === undefined ? (wanted?.Keys as Key[] | undefined) : undefined;
}
