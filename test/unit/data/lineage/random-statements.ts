/** A generator of numbers from 0 to 1 that repeats for a seed. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Tables whose columns share names, so that many random statements have a meaning and many do not. */
export const RANDOM_TABLES = [
  { name: 't', columns: ['a', 'b', 'c'].map((name) => ({ name, type: 'integer' })) },
  { name: 'u', columns: ['a', 'b', 'd', 'E'].map((name) => ({ name, type: 'integer' })) },
  {
    name: 'v',
    columns: [
      { name: 'a', type: 'integer' },
      { name: 'b', type: 'integer' },
      { name: 's', type: 'struct(a integer, x integer)' },
      { name: 'l', type: 'list(integer)' },
    ],
  },
];

/** A random statement over the tables, often with names that do not exist. */
export function randomStatement(random: () => number): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const maybe = (share: number, text: () => string) => (random() < share ? text() : '');
  const column = () => (random() < 0.85 ? pick(['a', 'A', 'b']) : pick(['c', 'd', 'e', 'E', 's', 'l', 'x', 'k', 'm']));
  const name = () => (random() < 0.15 ? `${pick(['t', 't', 'q', 'w', 'v', 's'])}.${column()}` : column());
  const value = (depth: number): string =>
    pick([
      name,
      name,
      name,
      () => `${name()} + ${name()}`,
      () => `CASE WHEN ${name()} > 1 THEN ${name()} END`,
      () => `coalesce(${name()}, 1)`,
      () => `sum(${name()}) OVER (PARTITION BY ${name()} ORDER BY ${name()})`,
      () => `list_transform([${name()}], lambda x: x + ${name()})[1]`,
      () =>
        depth > 0
          ? `(SELECT max(${name()}) FROM ${relation(depth - 1)}${maybe(0.6, () => ` WHERE ${name()} = ${name()}`)})`
          : '1',
      () => (depth > 0 ? `${name()} IN (SELECT ${name()} FROM ${relation(depth - 1)})` : 'true'),
      () => `s.${pick(['a', 'x'])}`,
    ])();
  const item = (depth: number): string =>
    pick([
      () => value(depth),
      () => `${value(depth)} AS ${column()}`,
      () => `${value(depth)} AS ${column()}`,
      () => '*',
      () => `${pick(['t', 'u', 'v', 'q'])}.*`,
      () => `* EXCLUDE (${column()})`,
      () => `* REPLACE (${name()} AS ${column()})`,
      () => `COLUMNS('${column()}')`,
      () => `unnest(l) AS ${column()}`,
    ])();
  const relation = (depth: number): string =>
    pick([
      () => 't',
      () => 'u',
      () => 'v',
      () => `t AS ${pick(['q', 'w'])}`,
      () => (depth > 0 ? `(${query(depth - 1)}) ${pick(['q', 'w', 'q(k)', 'w(m, k)'])}` : 'u AS w'),
      () => (depth > 0 ? `${relation(depth - 1)} ${join(depth - 1)}` : 't'),
      () => (depth > 0 ? `${relation(depth - 1)} ${join(depth - 1)}` : 'v'),
    ])();
  const join = (depth: number): string =>
    pick([
      () => `JOIN ${relation(depth)} USING (${column()})`,
      () => `LEFT JOIN ${relation(depth)} ON ${name()} = ${name()}`,
      () => `, ${relation(depth)}`,
      () => `NATURAL JOIN ${relation(depth)}`,
      () => `SEMI JOIN ${relation(depth)} USING (${column()})`,
      () => `, LATERAL (SELECT ${value(0)} AS ${column()}) w`,
      () => `, unnest(l) AS q(${column()})`,
    ])();
  const select = (depth: number): string =>
    `SELECT ${Array.from({ length: 1 + Math.floor(random() * 3) }, () => item(depth)).join(', ')} FROM ${relation(depth)}${maybe(0.4, () => ` WHERE ${value(depth)} IS NOT NULL`)}`;
  const query = (depth: number): string =>
    pick([
      () => select(depth),
      () => select(depth),
      () => `${select(depth)} ORDER BY ${name()}`,
      () => `${select(depth)} QUALIFY ${name()} > 1`,
      () =>
        `SELECT ${name()} AS ${column()}, sum(${name()}) AS ${column()} FROM ${relation(depth)} GROUP BY ${pick(['ALL', '1', column()])}${maybe(0.3, () => ` HAVING ${name()} > 1`)}${maybe(0.3, () => ` ORDER BY ${name()}`)}`,
      () =>
        `${select(depth)} UNION ALL ${maybe(0.5, () => 'BY NAME ')}${select(depth)}${maybe(0.4, () => ` ORDER BY ${column()}`)}`,
      () =>
        depth > 0
          ? `WITH q${maybe(0.4, () => '(k, m)')} AS (${query(depth - 1)}) ${select(depth - 1).replace(/FROM (t|u|v)\b/, 'FROM q')}`
          : select(0),
    ])();
  return query(2);
}
