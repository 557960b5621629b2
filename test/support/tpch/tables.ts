/**
 * The tables of TPC-H at scale factor 0.01, as SELECT statements of DuckDB. Keys, ranges, dates and the correlations
 * that the questions rely on follow the specification; texts are shorter than those of its own generator. The same rows
 * each time: what looks random is a hash of the key.
 */
const SUPPLIERS = 100;
const CUSTOMERS = 1_500;
const PARTS = 2_000;
const ORDERS = 15_000;
/** Before this day goods were returned and orders completed. */
const CURRENT_DATE = "DATE '1995-06-17'";

/**
 * A whole number from 0 below `count` that belongs to the key. Hashed twice, because hashes of pairs have bits in
 * common.
 */
const number = (key: string, salt: string, count: number) => `(hash(hash(${key}, '${salt}')) % ${count})::INTEGER`;

const pick = (key: string, salt: string, values: readonly string[]) =>
  `[${values.map((value) => `'${value}'`).join(', ')}][${number(key, salt, values.length)} + 1]`;

const cents = (key: string, salt: string, from: number, to: number) =>
  `((${from * 100} + ${number(key, salt, (to - from) * 100)}) / 100)::DECIMAL(15, 2)`;

const WORDS = ['ironic', 'regular', 'final', 'pending', 'bold', 'express', 'even', 'silent', 'careful', 'quick'];
const NOUNS = ['deposits', 'packages', 'accounts', 'ideas', 'theodolites', 'foxes', 'pinto beans', 'platelets'];

const comment = (key: string, salt: string) =>
  `concat_ws(' ', ${pick(key, `${salt}-1`, WORDS)}, ${pick(key, `${salt}-2`, NOUNS)}, ${pick(key, `${salt}-3`, WORDS)}, ${pick(key, `${salt}-4`, NOUNS)})`;

/** One in so many comments has two words that a question looks for, others have one of them. */
const marked = (
  key: string,
  salt: string,
  [first, second, every]: [string, string, number],
) => `CASE ${number(key, `${salt}-mark`, every)}
    WHEN 0 THEN '${first} ' || ${comment(key, salt)} || ' ${second}'
    WHEN 1 THEN '${second} ' || ${comment(key, salt)} || ' ${first}'
    ELSE ${comment(key, salt)} END`;

const phone = (key: string, nation: string) =>
  `concat_ws('-', ${nation} + 10, 100 + ${number(key, 'phone-1', 900)}, 100 + ${number(key, 'phone-2', 900)}, 1000 + ${number(key, 'phone-3', 9000)})`;

const padded = (name: string, key: string) => `'${name}#' || lpad(${key}::VARCHAR, 9, '0')`;

const keys = (column: string, count: number) => `(SELECT range::INTEGER AS ${column} FROM range(1, ${count + 1}))`;

/** In cents, by the formula of the specification. */
const retailCents = (part: string) => `(90000 + (${part} // 10) % 20001 + 100 * (${part} % 1000))`;

/** Each part has four suppliers. */
const supplierOf = (part: string, index: string) =>
  `((${part} + ${index} * (${SUPPLIERS / 4} + (${part} - 1) // ${SUPPLIERS})) % ${SUPPLIERS} + 1)`;

const REGIONS = ['AFRICA', 'AMERICA', 'ASIA', 'EUROPE', 'MIDDLE EAST'];
const NATIONS: readonly (readonly [name: string, region: number])[] = [
  ['ALGERIA', 0],
  ['ARGENTINA', 1],
  ['BRAZIL', 1],
  ['CANADA', 1],
  ['EGYPT', 4],
  ['ETHIOPIA', 0],
  ['FRANCE', 3],
  ['GERMANY', 3],
  ['INDIA', 2],
  ['INDONESIA', 2],
  ['IRAN', 4],
  ['IRAQ', 4],
  ['JAPAN', 2],
  ['JORDAN', 4],
  ['KENYA', 0],
  ['MOROCCO', 0],
  ['MOZAMBIQUE', 0],
  ['PERU', 1],
  ['CHINA', 2],
  ['ROMANIA', 3],
  ['SAUDI ARABIA', 4],
  ['VIETNAM', 2],
  ['RUSSIA', 3],
  ['UNITED KINGDOM', 3],
  ['UNITED STATES', 1],
];

const SEGMENTS = ['AUTOMOBILE', 'BUILDING', 'FURNITURE', 'MACHINERY', 'HOUSEHOLD'];
const PRIORITIES = ['1-URGENT', '2-HIGH', '3-MEDIUM', '4-NOT SPECIFIED', '5-LOW'];
const INSTRUCTIONS = ['DELIVER IN PERSON', 'COLLECT COD', 'NONE', 'TAKE BACK RETURN'];
const MODES = ['REG AIR', 'AIR', 'RAIL', 'SHIP', 'TRUCK', 'MAIL', 'FOB'];
const SIZES = ['STANDARD', 'SMALL', 'MEDIUM', 'LARGE', 'ECONOMY', 'PROMO'];
const FINISHES = ['ANODIZED', 'BURNISHED', 'PLATED', 'POLISHED', 'BRUSHED'];
const METALS = ['TIN', 'NICKEL', 'BRASS', 'STEEL', 'COPPER'];
const BOXES = ['SM', 'LG', 'MED', 'JUMBO', 'WRAP'];
const CONTAINERS = ['CASE', 'BOX', 'BAG', 'JAR', 'PKG', 'PACK', 'CAN', 'DRUM'];
const COLOURS = [
  'almond',
  'azure',
  'blue',
  'brown',
  'coral',
  'cyan',
  'forest',
  'green',
  'ivory',
  'khaki',
  'lace',
  'navy',
];

/**
 * Orders with their lines; both tables are made from it, so that they agree. A third of the customers orders nothing.
 */
const LINES = `
  SELECT o.*, line::INTEGER AS linenumber, o.orderkey * 8 + line AS linekey,
    (1 + ${number('o.orderkey * 8 + line', 'part', PARTS)})::INTEGER AS partkey,
    (1 + ${number('o.orderkey * 8 + line', 'quantity', 50)})::INTEGER AS quantity
  FROM (
    SELECT ((n - 1) // 8 * 32 + (n - 1) % 8 + 1)::INTEGER AS orderkey,
      (1 + ${number('n', 'customer', CUSTOMERS / 3)} * 3 + ${number('n', 'third', 2)})::INTEGER AS custkey,
      DATE '1992-01-01' + ${number('n', 'date', 2_406)} AS orderdate,
      (1 + ${number('n', 'lines', 7)})::INTEGER AS lines
    FROM ${keys('n', ORDERS)}) AS o, range(1, o.lines + 1) AS each(line)`;

const LINEITEM = `
  SELECT orderkey, partkey, ${supplierOf('partkey', number('linekey', 'supplier', 4))}::INTEGER AS suppkey, linenumber,
    quantity::DECIMAL(15, 2) AS quantity, (quantity * ${retailCents('partkey')} / 100)::DECIMAL(15, 2) AS extendedprice,
    (${number('linekey', 'discount', 11)} / 100)::DECIMAL(15, 2) AS discount,
    (${number('linekey', 'tax', 9)} / 100)::DECIMAL(15, 2) AS tax,
    CASE WHEN receiptdate > ${CURRENT_DATE} THEN 'N' WHEN ${number('linekey', 'returned', 2)} = 0 THEN 'R' ELSE 'A' END AS returnflag,
    CASE WHEN shipdate > ${CURRENT_DATE} THEN 'O' ELSE 'F' END AS linestatus, shipdate,
    orderdate + 30 + ${number('linekey', 'commit', 61)} AS commitdate, receiptdate,
    ${pick('linekey', 'instruct', INSTRUCTIONS)} AS shipinstruct, ${pick('linekey', 'mode', MODES)} AS shipmode,
    ${comment('linekey', 'line')} AS comment, custkey, orderdate
  FROM (SELECT *, shipdate + 1 + ${number('linekey', 'receipt', 30)} AS receiptdate
    FROM (SELECT *, orderdate + 1 + ${number('linekey', 'ship', 121)} AS shipdate FROM (${LINES})))`;

export const TPCH_TABLES: Readonly<Record<string, string>> = {
  region: `SELECT regionkey::INTEGER AS regionkey, name, ${comment('regionkey', 'region')} AS comment
    FROM (VALUES ${REGIONS.map((name, key) => `(${key}, '${name}')`).join(', ')}) AS t(regionkey, name)`,
  nation: `SELECT nationkey::INTEGER AS nationkey, name, regionkey::INTEGER AS regionkey, ${comment('nationkey', 'nation')} AS comment
    FROM (VALUES ${NATIONS.map(([name, region], key) => `(${key}, '${name}', ${region})`).join(', ')}) AS t(nationkey, name, regionkey)`,
  supplier: `SELECT suppkey, ${padded('Supplier', 'suppkey')} AS name, 'Street ' || ${number('suppkey', 'street', 1000)} AS address,
    nationkey, ${phone('suppkey', 'nationkey')} AS phone, ${cents('suppkey', 'balance', -999, 9999)} AS acctbal,
    ${marked('suppkey', 'supplier', ['Customer', 'Complaints', 20])} AS comment
    FROM (SELECT suppkey, ${number('suppkey', 'nation', 25)} AS nationkey FROM ${keys('suppkey', SUPPLIERS)})`,
  customer: `SELECT custkey, ${padded('Customer', 'custkey')} AS name, 'Road ' || ${number('custkey', 'road', 1000)} AS address,
    nationkey, ${phone('custkey', 'nationkey')} AS phone, ${cents('custkey', 'credit', -999, 9999)} AS acctbal,
    ${pick('custkey', 'segment', SEGMENTS)} AS mktsegment, ${comment('custkey', 'customer')} AS comment
    FROM (SELECT custkey, ${number('custkey', 'country', 25)} AS nationkey FROM ${keys('custkey', CUSTOMERS)})`,
  part: `SELECT partkey, concat_ws(' ', ${pick('partkey', 'colour-1', COLOURS)}, ${pick('partkey', 'colour-2', COLOURS)}, ${pick('partkey', 'colour-3', COLOURS)}) AS name,
    'Manufacturer#' || maker AS mfgr, 'Brand#' || maker || (1 + ${number('partkey', 'brand', 5)}) AS brand,
    concat_ws(' ', ${pick('partkey', 'type-1', SIZES)}, ${pick('partkey', 'type-2', FINISHES)}, ${pick('partkey', 'type-3', METALS)}) AS type,
    1 + ${number('partkey', 'size', 50)} AS size,
    concat_ws(' ', ${pick('partkey', 'container-1', BOXES)}, ${pick('partkey', 'container-2', CONTAINERS)}) AS container,
    (${retailCents('partkey')} / 100)::DECIMAL(15, 2) AS retailprice, ${comment('partkey', 'part')} AS comment
    FROM (SELECT partkey, 1 + ${number('partkey', 'maker', 5)} AS maker FROM ${keys('partkey', PARTS)})`,
  partsupp: `SELECT partkey, ${supplierOf('partkey', 'supplier')}::INTEGER AS suppkey,
    1 + ${number('partkey * 4 + supplier', 'available', 9999)} AS availqty,
    ${cents('partkey * 4 + supplier', 'cost', 1, 1000)} AS supplycost, ${comment('partkey * 4 + supplier', 'partsupp')} AS comment
    FROM ${keys('partkey', PARTS)}, range(4) AS each(supplier)`,
  orders: `SELECT orderkey, any_value(custkey) AS custkey,
    CASE WHEN bool_and(linestatus = 'F') THEN 'F' WHEN bool_and(linestatus = 'O') THEN 'O' ELSE 'P' END AS orderstatus,
    sum(extendedprice * (1 + tax) * (1 - discount))::DECIMAL(15, 2) AS totalprice, any_value(orderdate) AS orderdate,
    ${pick('orderkey', 'priority', PRIORITIES)} AS orderpriority, 'Clerk#' || ${number('orderkey', 'clerk', 10)} AS clerk,
    0 AS shippriority, ${marked('orderkey', 'order', ['special', 'requests', 30])} AS comment
    FROM (${LINEITEM}) GROUP BY orderkey ORDER BY orderkey`,
  lineitem: `SELECT * EXCLUDE (custkey, orderdate) FROM (${LINEITEM}) ORDER BY orderkey, linenumber`,
};
