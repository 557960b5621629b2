/** A table of sales, as many rows as asked for. */
export const SALES = (rows: number) => `
  SELECT i AS id, (hash(i) % 100000)::INTEGER AS customer, (hash(i + 1) % 365)::INTEGER AS day, (hash(i + 2) % 50)::INTEGER AS product,
    ((hash(i + 3) % 100000) / 100)::DECIMAL(10,2) AS amount, 'region ' || hash(i + 4) % 12 AS region
  FROM range(${rows}) t(i)`;

/** Every customer of the sales. */
export const CUSTOMERS = `
  SELECT i::INTEGER AS id, 'segment ' || hash(i) % 8 AS segment FROM range(100000) t(i)`;

/** How long the customers of the sales looked around, visit by visit. */
export const VISITS = (rows: number) => `
  SELECT (hash(i) % 100000)::INTEGER AS customer, (hash(i + 1) % 60)::INTEGER AS minutes FROM range(${rows}) t(i)`;

/** Statements over sales and customers. */
export const queriesOf = (sales: string) =>
  ({
    aggregate: `SELECT region, count(*) AS n, sum(amount) AS total FROM ${sales} GROUP BY region ORDER BY region`,
    filter: `SELECT count(*) AS n, avg(amount) AS mean FROM ${sales} WHERE day BETWEEN 100 AND 130 AND product = 7`,
    join: `SELECT c.segment, count(*) AS n, sum(s.amount) AS total FROM ${sales} s JOIN customers c ON c.id = s.customer
      GROUP BY c.segment ORDER BY total DESC`,
    'top 100': `SELECT id, customer, amount FROM ${sales} ORDER BY amount DESC, id LIMIT 100`,
  }) as const;
