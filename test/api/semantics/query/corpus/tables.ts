/** The tables that the corpora read: nulls, quotes, nested values, decimals and names with spaces in them. */
export const TABLES: Record<string, string> = {
  orders: `SELECT i AS id, CASE WHEN i % 13 = 0 THEN NULL ELSE (i * 7 % 10) + 1 END AS customer_id,
      CASE i % 5 WHEN 0 THEN 'eu' WHEN 1 THEN 'us' WHEN 2 THEN 'asia' WHEN 3 THEN 'eu' END AS region,
      (i * 37 % 1000 / 4)::DECIMAL(10,2) AS amount, CASE WHEN i % 4 > 0 THEN i % 9 / 2 END::DOUBLE AS tax,
      TIMESTAMP '2024-01-01 06:00:00' + to_minutes(i * 977) AS created_at,
      CASE WHEN i % 3 = 0 THEN 'it''s "#' || i || '", 50% – ☕' END AS note
    FROM range(1, 201) r(i)`,
  customers: `SELECT i AS id, chr((64 + i)::INTEGER) || 'nton ' || i AS name, TIMESTAMP '2024-01-01' + to_days((i * 11)::INTEGER) AS created_at,
      CASE WHEN i % 3 = 0 THEN [] ELSE ['a', 'b' || i % 2] END AS tags,
      {'city': CASE WHEN i % 2 = 0 THEN 'Bern' ELSE 'Köln' END, 'zip': (1000 + i)::INTEGER} AS address,
      ('{"plan": "p' || i % 2 || '", "seats": [' || i || ', null]}')::JSON AS profile
    FROM range(1, 13) r(i)`,
  'Daily Sales': `SELECT DATE '2024-01-01' + i::INTEGER AS day, i * 3 % 17 AS sales, (i / 7)::DOUBLE AS ratio FROM range(60) r(i)`,
};
