import { commit, type Engine } from './engine.ts';
import { expiryOf, positionOf } from './items.ts';
import { itemsTable } from './store.ts';
import { trimStreams } from './streams.ts';
import type { TableDefinition } from './table.ts';
import { forgetTokens } from './transactions.ts';
import type { Item } from './values.ts';

/** AWS takes hours to days; on this machine it should be visible at once. */
const SWEEP_EVERY_MS = 1000;
const TRIM_EVERY_MS = 60_000;
/** One sweep deletes at most this many items of a table, so that other work does not wait long. */
const MAX_SWEEP = 200;
/** Items that expired longer ago are kept, as on AWS, because that is probably a mistake in the data. */
const OLDEST_EXPIRY_SECONDS = 5 * 365 * 24 * 60 * 60;

/** Sets the time-to-live attribute (undefined: none) and reads it from every item. */
export function setExpiryAttribute(engine: Engine, current: TableDefinition, attribute: string | undefined): void {
  const table = structuredClone(current);
  if (attribute === undefined) delete table.ttlAttribute;
  else table.ttlAttribute = attribute;
  const { store, catalogue } = engine;
  commit(engine, () => {
    const name = itemsTable(table);
    store.run(`UPDATE ${name} SET expires = NULL WHERE expires IS NOT NULL`);
    if (attribute !== undefined) {
      for (const row of store.all(`SELECT pk, sk, item FROM ${name}`)) {
        const expires = expiryOf(table, JSON.parse(row.item as string) as Item);
        if (expires === null) continue;
        store.run(
          `UPDATE ${name} SET expires = ? WHERE pk = ? AND sk = ?`,
          expires,
          row.pk as Buffer,
          row.sk as Buffer,
        );
      }
    }
    catalogue.save(table);
  });
}

function trim(engine: Engine): void {
  trimStreams(engine);
  forgetTokens(engine);
}

/**
 * Repeatedly deletes expired items, trims streams and deletes old transactions, until the returned function is called.
 */
export function startSweeper(engine: Engine): () => void {
  const { clock } = engine.context;
  const every = (milliseconds: number, work: () => void): (() => void) => {
    let cancel = () => {};
    const next = () => {
      cancel = clock.schedule(clock.now() + milliseconds, () => {
        work();
        next();
      });
    };
    next();
    return () => cancel();
  };
  const stops = [every(SWEEP_EVERY_MS, () => sweep(engine)), every(TRIM_EVERY_MS, () => trim(engine))];
  return () => {
    for (const stop of stops) stop();
  };
}

function sweep(engine: Engine): void {
  const now = Math.floor(engine.context.clock.now() / 1000);
  for (const table of engine.catalogue.all()) {
    if (table.ttlAttribute === undefined) continue;
    const due = engine.store.all(
      `SELECT item FROM ${itemsTable(table)} WHERE expires > ? AND expires <= ? LIMIT ${MAX_SWEEP}`,
      now - OLDEST_EXPIRY_SECONDS,
      now,
    );
    if (due.length === 0) continue;
    commit(engine, () => {
      for (const row of due) {
        const at = positionOf(table, JSON.parse(row.item as string) as Item);
        engine.items.change(table, at, engine.items.read(table, at), undefined, { expired: true });
      }
    });
  }
}
