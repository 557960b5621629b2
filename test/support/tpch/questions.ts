/**
 * A question of TPC-H, as it is asked of the model in the guide, and its SQL with the columns in the order of the
 * reply.
 */
export interface TpchQuestion {
  number: number;
  /** As a request; undefined for those that the guide shows. */
  question?: object;
  sql: string;
}

const by = (expression: string, label: string) => ({ expression: `[${expression}]`, label });
const as = (expression: string, label: string) => ({ expression, label });
const where = (...expressions: string[]) => expressions.map((expression) => ({ expression }));
const desc = (column: string) => ({ column, direction: 'desc' });
const asc = (column: string) => ({ column, direction: 'asc' });
const revenue = as('{Revenue}', 'revenue');

/**
 * The 22 questions but the second. Their parameters are those of the specification where these have rows on a small
 * scale.
 */
export const TPCH_QUESTIONS: readonly TpchQuestion[] = [
  {
    number: 1,
    question: {
      dimensions: [by('lineitem.returnflag', 'flag'), by('lineitem.linestatus', 'status')],
      measures: [
        as('SUM([lineitem.quantity])', 'quantity'),
        as('SUM([lineitem.extendedprice])', 'price'),
        revenue,
        as('SUM([lineitem.net] * (1 + [lineitem.tax]))', 'charge'),
        as('AVG([lineitem.quantity])', 'average quantity'),
        as('AVG([lineitem.extendedprice])', 'average price'),
        as('AVG([lineitem.discount])', 'average discount'),
        as('{Lines}', 'lines'),
      ],
      filters: where(`[lineitem.shipdate] <= DATE_ADD("day", -90, DATE '1998-12-01')`),
    },
    sql: `SELECT returnflag, linestatus, sum(quantity), sum(extendedprice), sum(extendedprice * (1 - discount)),
        sum(extendedprice * (1 - discount) * (1 + tax)), avg(quantity), avg(extendedprice), avg(discount), count(*)
      FROM lineitem WHERE shipdate <= DATE '1998-12-01' - INTERVAL 90 DAY GROUP BY 1, 2 ORDER BY 1, 2`,
  },
  {
    number: 3,
    question: {
      dimensions: [
        by('lineitem.orderkey', 'order'),
        by('orders.orderdate', 'date'),
        by('orders.shippriority', 'priority'),
      ],
      measures: [revenue],
      filters: where(
        "[customer.mktsegment] = 'BUILDING'",
        "[orders.orderdate] < '1995-03-15' AND [lineitem.shipdate] > '1995-03-15'",
      ),
      sort: [desc('revenue'), asc('date')],
      limit: 10,
    },
    sql: `SELECT l.orderkey, o.orderdate, o.shippriority, sum(l.extendedprice * (1 - l.discount)) AS revenue
      FROM customer c, orders o, lineitem l
      WHERE c.mktsegment = 'BUILDING' AND c.custkey = o.custkey AND l.orderkey = o.orderkey
        AND o.orderdate < DATE '1995-03-15' AND l.shipdate > DATE '1995-03-15'
      GROUP BY 1, 2, 3 ORDER BY revenue DESC, o.orderdate LIMIT 10`,
  },
  {
    number: 4,
    question: {
      dimensions: [by('orders.orderpriority', 'priority')],
      measures: [as('COUNT([orders.orderkey])', 'orders')],
      filters: where(
        "[orders.orderdate] >= '1993-07-01' AND [orders.orderdate] < '1993-10-01'",
        '[lineitem.commitdate] < [lineitem.receiptdate]',
      ),
    },
    sql: `SELECT orderpriority, count(*) FROM orders o
      WHERE orderdate >= DATE '1993-07-01' AND orderdate < DATE '1993-07-01' + INTERVAL 3 MONTH
        AND EXISTS (SELECT * FROM lineitem l WHERE l.orderkey = o.orderkey AND l.commitdate < l.receiptdate)
      GROUP BY 1 ORDER BY 1`,
  },
  {
    number: 5,
    sql: `SELECT n.name, sum(l.extendedprice * (1 - l.discount)) AS revenue
      FROM customer c, orders o, lineitem l, supplier s, nation n, region r
      WHERE c.custkey = o.custkey AND l.orderkey = o.orderkey AND l.suppkey = s.suppkey AND c.nationkey = s.nationkey
        AND s.nationkey = n.nationkey AND n.regionkey = r.regionkey AND r.name = 'ASIA'
        AND o.orderdate >= DATE '1994-01-01' AND o.orderdate < DATE '1995-01-01'
      GROUP BY 1 ORDER BY revenue DESC`,
  },
  {
    number: 6,
    question: {
      measures: [as('SUM([lineitem.extendedprice] * [lineitem.discount])', 'revenue')],
      filters: where(
        "[lineitem.shipdate] >= '1994-01-01' AND [lineitem.shipdate] < '1995-01-01'",
        '[lineitem.discount] BETWEEN 0.05 AND 0.07 AND [lineitem.quantity] < 24',
      ),
    },
    sql: `SELECT sum(extendedprice * discount) FROM lineitem
      WHERE shipdate >= DATE '1994-01-01' AND shipdate < DATE '1995-01-01' AND discount BETWEEN 0.05 AND 0.07 AND quantity < 24`,
  },
  {
    number: 7,
    question: {
      dimensions: [
        by('supplier_nation.name', 'from'),
        by('customer_nation.name', 'to'),
        as('YEAR([lineitem.shipdate])', 'year'),
      ],
      measures: [revenue],
      filters: where(
        `([supplier_nation.name] = 'FRANCE' AND [customer_nation.name] = 'GERMANY')
          OR ([supplier_nation.name] = 'GERMANY' AND [customer_nation.name] = 'FRANCE')`,
        "[lineitem.shipdate] BETWEEN '1995-01-01' AND '1996-12-31'",
      ),
    },
    sql: `SELECT n1.name, n2.name, year(l.shipdate), sum(l.extendedprice * (1 - l.discount))
      FROM supplier s, lineitem l, orders o, customer c, nation n1, nation n2
      WHERE s.suppkey = l.suppkey AND o.orderkey = l.orderkey AND c.custkey = o.custkey
        AND s.nationkey = n1.nationkey AND c.nationkey = n2.nationkey
        AND ((n1.name = 'FRANCE' AND n2.name = 'GERMANY') OR (n1.name = 'GERMANY' AND n2.name = 'FRANCE'))
        AND l.shipdate BETWEEN DATE '1995-01-01' AND DATE '1996-12-31'
      GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
  },
  {
    number: 8,
    question: {
      dimensions: [as('YEAR([orders.orderdate])', 'year')],
      measures: [as(`SUM(IF([supplier_nation.name] = 'BRAZIL', [lineitem.net], 0)) / {Revenue}`, 'share')],
      filters: where(
        "[customer_region.name] = 'AMERICA' AND [part.type] = 'ECONOMY ANODIZED STEEL'",
        "[orders.orderdate] BETWEEN '1995-01-01' AND '1996-12-31'",
      ),
    },
    sql: `SELECT year(o.orderdate), sum(CASE WHEN n2.name = 'BRAZIL' THEN l.extendedprice * (1 - l.discount) ELSE 0 END)
          / sum(l.extendedprice * (1 - l.discount))
      FROM part p, supplier s, lineitem l, orders o, customer c, nation n1, nation n2, region r
      WHERE p.partkey = l.partkey AND s.suppkey = l.suppkey AND l.orderkey = o.orderkey AND o.custkey = c.custkey
        AND c.nationkey = n1.nationkey AND n1.regionkey = r.regionkey AND r.name = 'AMERICA' AND s.nationkey = n2.nationkey
        AND o.orderdate BETWEEN DATE '1995-01-01' AND DATE '1996-12-31' AND p.type = 'ECONOMY ANODIZED STEEL'
      GROUP BY 1 ORDER BY 1`,
  },
  {
    number: 9,
    question: {
      dimensions: [by('supplier_nation.name', 'nation'), as('YEAR([orders.orderdate])', 'year')],
      measures: [as('{Profit}', 'profit')],
      filters: where("CONTAINS([part.name], 'green')"),
      sort: [asc('nation'), desc('year')],
    },
    sql: `SELECT n.name, year(o.orderdate) AS y, sum(l.extendedprice * (1 - l.discount) - ps.supplycost * l.quantity)
      FROM part p, supplier s, lineitem l, partsupp ps, orders o, nation n
      WHERE s.suppkey = l.suppkey AND ps.suppkey = l.suppkey AND ps.partkey = l.partkey AND p.partkey = l.partkey
        AND o.orderkey = l.orderkey AND s.nationkey = n.nationkey AND p.name LIKE '%green%'
      GROUP BY 1, 2 ORDER BY 1, 2 DESC`,
  },
  {
    number: 10,
    question: {
      dimensions: [
        by('customer.custkey', 'key'),
        by('customer.name', 'name'),
        by('customer_nation.name', 'nation'),
        by('customer.address', 'address'),
        by('customer.phone', 'phone'),
        by('customer.comment', 'comment'),
      ],
      measures: [as('SUM([customer.acctbal])', 'balance'), revenue],
      filters: where(
        "[orders.orderdate] >= '1993-10-01' AND [orders.orderdate] < '1994-01-01'",
        "[lineitem.returnflag] = 'R'",
      ),
      sort: [desc('revenue')],
      limit: 20,
    },
    sql: `SELECT c.custkey, c.name, n.name, c.address, c.phone, c.comment, c.acctbal,
        sum(l.extendedprice * (1 - l.discount)) AS revenue
      FROM customer c, orders o, lineitem l, nation n
      WHERE c.custkey = o.custkey AND l.orderkey = o.orderkey AND o.orderdate >= DATE '1993-10-01'
        AND o.orderdate < DATE '1994-01-01' AND l.returnflag = 'R' AND c.nationkey = n.nationkey
      GROUP BY ALL ORDER BY revenue DESC LIMIT 20`,
  },
  {
    number: 11,
    question: {
      dimensions: [by('partsupp.partkey', 'part')],
      measures: [as('{Stock}', 'value'), as('SHARE({Stock})', 'share')],
      filters: where("[supplier_nation.name] = 'GERMANY'"),
      resultFilters: [{ column: 'share', op: 'gt', values: [0.005] }],
      sort: [desc('value')],
    },
    sql: `WITH german AS (SELECT ps.* FROM partsupp ps, supplier s, nation n
        WHERE ps.suppkey = s.suppkey AND s.nationkey = n.nationkey AND n.name = 'GERMANY')
      SELECT partkey, sum(supplycost * availqty) AS value, value / (SELECT sum(supplycost * availqty) FROM german)
      FROM german GROUP BY 1 HAVING value > (SELECT sum(supplycost * availqty) * 0.005 FROM german) ORDER BY value DESC`,
  },
  {
    number: 12,
    question: {
      dimensions: [by('lineitem.shipmode', 'mode')],
      measures: [
        as(
          `{Lines} - COUNT([lineitem.orderkey]) FILTER (WHERE [orders.orderpriority] NOT IN ('1-URGENT', '2-HIGH'))`,
          'high',
        ),
        as(`COUNT([lineitem.orderkey]) FILTER (WHERE [orders.orderpriority] NOT IN ('1-URGENT', '2-HIGH'))`, 'low'),
      ],
      filters: where(
        "[lineitem.shipmode] IN ('MAIL', 'SHIP')",
        '[lineitem.commitdate] < [lineitem.receiptdate] AND [lineitem.shipdate] < [lineitem.commitdate]',
        "[lineitem.receiptdate] >= '1994-01-01' AND [lineitem.receiptdate] < '1995-01-01'",
      ),
    },
    sql: `SELECT l.shipmode, sum(CASE WHEN o.orderpriority IN ('1-URGENT', '2-HIGH') THEN 1 ELSE 0 END),
        sum(CASE WHEN o.orderpriority NOT IN ('1-URGENT', '2-HIGH') THEN 1 ELSE 0 END)
      FROM orders o, lineitem l
      WHERE o.orderkey = l.orderkey AND l.shipmode IN ('MAIL', 'SHIP') AND l.commitdate < l.receiptdate
        AND l.shipdate < l.commitdate AND l.receiptdate >= DATE '1994-01-01' AND l.receiptdate < DATE '1995-01-01'
      GROUP BY 1 ORDER BY 1`,
  },
  {
    number: 13,
    question: {
      dimensions: [as('COALESCE([orders_of_customer.ordinary], 0)', 'orders')],
      measures: [as('COUNT([customer.custkey])', 'customers')],
      sort: [desc('customers'), desc('orders')],
    },
    sql: `SELECT orders, count(*) AS customers FROM (
        SELECT c.custkey, count(o.orderkey) AS orders
        FROM customer c LEFT JOIN orders o ON c.custkey = o.custkey AND o.comment NOT LIKE '%special%requests%' GROUP BY 1)
      GROUP BY 1 ORDER BY customers DESC, orders DESC`,
  },
  {
    number: 14,
    question: {
      measures: [
        as(`100 * (SUM([lineitem.net]) FILTER (WHERE STARTS_WITH([part.type], 'PROMO'))) / {Revenue}`, 'promotion'),
      ],
      filters: where("[lineitem.shipdate] >= '1995-09-01' AND [lineitem.shipdate] < '1995-10-01'"),
    },
    sql: `SELECT 100 * sum(CASE WHEN p.type LIKE 'PROMO%' THEN l.extendedprice * (1 - l.discount) ELSE 0 END)
        / sum(l.extendedprice * (1 - l.discount))
      FROM lineitem l, part p
      WHERE l.partkey = p.partkey AND l.shipdate >= DATE '1995-09-01' AND l.shipdate < DATE '1995-10-01'`,
  },
  {
    number: 15,
    question: {
      dimensions: [
        by('supplier.suppkey', 'key'),
        by('supplier.name', 'name'),
        by('supplier.address', 'address'),
        by('supplier.phone', 'phone'),
      ],
      measures: [revenue],
      filters: where("[lineitem.shipdate] >= '1996-01-01' AND [lineitem.shipdate] < '1996-04-01'"),
      sort: [desc('revenue')],
      limit: 1,
    },
    sql: `WITH revenue AS (SELECT suppkey, sum(extendedprice * (1 - discount)) AS total FROM lineitem
        WHERE shipdate >= DATE '1996-01-01' AND shipdate < DATE '1996-04-01' GROUP BY 1)
      SELECT s.suppkey, s.name, s.address, s.phone, r.total FROM supplier s, revenue r
      WHERE s.suppkey = r.suppkey AND r.total = (SELECT max(total) FROM revenue) ORDER BY 1`,
  },
  {
    number: 16,
    question: {
      dimensions: [by('part.brand', 'brand'), by('part.type', 'type'), by('part.size', 'size')],
      measures: [as('COUNT_DISTINCT([partsupp.suppkey])', 'suppliers')],
      filters: where(
        "[part.brand] <> 'Brand#45' AND NOT STARTS_WITH([part.type], 'MEDIUM POLISHED')",
        '[part.size] IN (49, 14, 23, 45, 19, 3, 36, 9)',
        "[supplier.complaints] <> 'yes'",
      ),
      sort: [desc('suppliers'), asc('brand'), asc('type'), asc('size')],
    },
    sql: `SELECT p.brand, p.type, p.size, count(DISTINCT ps.suppkey) AS suppliers FROM partsupp ps, part p
      WHERE p.partkey = ps.partkey AND p.brand <> 'Brand#45' AND p.type NOT LIKE 'MEDIUM POLISHED%'
        AND p.size IN (49, 14, 23, 45, 19, 3, 36, 9)
        AND ps.suppkey NOT IN (SELECT suppkey FROM supplier WHERE comment LIKE '%Customer%Complaints%')
      GROUP BY 1, 2, 3 ORDER BY suppliers DESC, 1, 2, 3`,
  },
  {
    number: 17,
    question: {
      measures: [as('SUM([lineitem.extendedprice]) / 7.0', 'yearly')],
      filters: where(
        "[part.brand] = 'Brand#23' AND STARTS_WITH([part.container], 'MED')",
        '[lineitem.quantity] < 0.2 * [lines_of_part.average]',
      ),
    },
    sql: `SELECT sum(l.extendedprice) / 7.0 FROM lineitem l, part p
      WHERE p.partkey = l.partkey AND p.brand = 'Brand#23' AND p.container LIKE 'MED%'
        AND l.quantity < (SELECT 0.2 * avg(quantity) FROM lineitem other WHERE other.partkey = p.partkey)`,
  },
  {
    number: 18,
    question: {
      dimensions: [
        by('customer.name', 'name'),
        by('customer.custkey', 'key'),
        by('orders.orderkey', 'order'),
        by('orders.orderdate', 'date'),
        by('orders.totalprice', 'price'),
      ],
      measures: [as('SUM([lineitem.quantity])', 'quantity')],
      resultFilters: [{ column: 'quantity', op: 'gt', values: [250] }],
      sort: [desc('price'), asc('date')],
      limit: 100,
    },
    sql: `SELECT c.name, c.custkey, o.orderkey, o.orderdate, o.totalprice, sum(l.quantity) FROM customer c, orders o, lineitem l
      WHERE o.orderkey IN (SELECT orderkey FROM lineitem GROUP BY 1 HAVING sum(quantity) > 250)
        AND c.custkey = o.custkey AND o.orderkey = l.orderkey
      GROUP BY 1, 2, 3, 4, 5 ORDER BY o.totalprice DESC, o.orderdate LIMIT 100`,
  },
  {
    number: 19,
    question: {
      measures: [revenue],
      filters: where(
        "[lineitem.shipmode] IN ('AIR', 'REG AIR') AND [lineitem.shipinstruct] = 'DELIVER IN PERSON'",
        `([part.brand] = 'Brand#12' AND [part.container] IN ('SM CASE', 'SM BOX', 'SM PACK', 'SM PKG')
            AND [lineitem.quantity] BETWEEN 1 AND 11 AND [part.size] BETWEEN 1 AND 5)
          OR ([part.brand] = 'Brand#23' AND [part.container] IN ('MED BAG', 'MED BOX', 'MED PKG', 'MED PACK')
            AND [lineitem.quantity] BETWEEN 10 AND 20 AND [part.size] BETWEEN 1 AND 10)
          OR ([part.brand] = 'Brand#34' AND [part.container] IN ('LG CASE', 'LG BOX', 'LG PACK', 'LG PKG')
            AND [lineitem.quantity] BETWEEN 20 AND 30 AND [part.size] BETWEEN 1 AND 15)`,
      ),
    },
    sql: `SELECT sum(l.extendedprice * (1 - l.discount)) FROM lineitem l, part p
      WHERE p.partkey = l.partkey AND l.shipmode IN ('AIR', 'REG AIR') AND l.shipinstruct = 'DELIVER IN PERSON'
        AND ((p.brand = 'Brand#12' AND p.container IN ('SM CASE', 'SM BOX', 'SM PACK', 'SM PKG')
            AND l.quantity BETWEEN 1 AND 11 AND p.size BETWEEN 1 AND 5)
          OR (p.brand = 'Brand#23' AND p.container IN ('MED BAG', 'MED BOX', 'MED PKG', 'MED PACK')
            AND l.quantity BETWEEN 10 AND 20 AND p.size BETWEEN 1 AND 10)
          OR (p.brand = 'Brand#34' AND p.container IN ('LG CASE', 'LG BOX', 'LG PACK', 'LG PKG')
            AND l.quantity BETWEEN 20 AND 30 AND p.size BETWEEN 1 AND 15))`,
  },
  {
    number: 20,
    question: {
      dimensions: [by('supplier.name', 'name'), by('supplier.address', 'address')],
      filters: where(
        "[supplier_nation.name] = 'CANADA' AND STARTS_WITH([part.name], 'forest')",
        '[partsupp.availqty] > 0.5 * [shipped_in_1994.quantity]',
      ),
    },
    sql: `SELECT s.name, s.address FROM supplier s, nation n
      WHERE s.suppkey IN (SELECT ps.suppkey FROM partsupp ps
          WHERE ps.partkey IN (SELECT partkey FROM part WHERE name LIKE 'forest%')
            AND ps.availqty > (SELECT 0.5 * sum(l.quantity) FROM lineitem l WHERE l.partkey = ps.partkey
              AND l.suppkey = ps.suppkey AND l.shipdate >= DATE '1994-01-01' AND l.shipdate < DATE '1995-01-01'))
        AND s.nationkey = n.nationkey AND n.name = 'CANADA'
      ORDER BY s.name`,
  },
  {
    number: 21,
    sql: `SELECT s.name, count(*) AS waiting FROM supplier s, lineitem l1, orders o, nation n
      WHERE s.suppkey = l1.suppkey AND o.orderkey = l1.orderkey AND o.orderstatus = 'F' AND l1.receiptdate > l1.commitdate
        AND EXISTS (SELECT * FROM lineitem l2 WHERE l2.orderkey = l1.orderkey AND l2.suppkey <> l1.suppkey)
        AND NOT EXISTS (SELECT * FROM lineitem l3 WHERE l3.orderkey = l1.orderkey AND l3.suppkey <> l1.suppkey
          AND l3.receiptdate > l3.commitdate)
        AND s.nationkey = n.nationkey AND n.name = 'SAUDI ARABIA'
      GROUP BY 1 ORDER BY waiting DESC, 1 LIMIT 100`,
  },
  {
    number: 22,
    question: {
      dimensions: [as('SUBSTRING([customer.phone], 1, 2)', 'country')],
      measures: [as('COUNT([customer.custkey])', 'customers'), as('SUM([customer.acctbal])', 'balance')],
      filters: where(
        "SUBSTRING([customer.phone], 1, 2) IN ('13', '31', '23', '29', '30', '18', '17')",
        '[customer.acctbal] > [average_customer.balance]',
        '[orders.orderkey] IS NULL',
      ),
    },
    sql: `WITH chosen AS (SELECT *, substring(phone, 1, 2) AS country FROM customer
        WHERE substring(phone, 1, 2) IN ('13', '31', '23', '29', '30', '18', '17'))
      SELECT country, count(*), sum(acctbal) FROM chosen c
      WHERE acctbal > (SELECT avg(acctbal) FROM chosen WHERE acctbal > 0)
        AND NOT EXISTS (SELECT * FROM orders o WHERE o.custkey = c.custkey)
      GROUP BY 1 ORDER BY 1`,
  },
];
