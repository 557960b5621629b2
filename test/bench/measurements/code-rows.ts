/** The rows that code is called with, and the code: the same text runs in the sandbox and in bare V8. */
export const CODE_ROWS = (rows: number) => `
  SELECT i AS id, 'customer ' || hash(i) % 1000 AS customer, ((hash(i + 1) % 100000) / 100)::DECIMAL(10,2) AS amount, (hash(i + 2) % 1000) / 7.0 AS score
  FROM range(${rows}) t(i)`;

export const CODE = `function transform(rows) {
  return rows
    .filter((row) => row.score < 130)
    .map((row) => ({ id: row.id, customer: row.customer.toUpperCase(), cents: String(Math.round(Number(row.amount) * 100)), grade: row.score > 70 ? 'A' : 'B' }));
}`;

export const CODE_COLUMNS = [
  { name: 'id', type: 'integer' },
  { name: 'customer', type: 'string' },
  { name: 'cents', type: 'integer' },
  { name: 'grade', type: 'string' },
];
