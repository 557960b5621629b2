const REGIONS = ['North', 'South', 'East', 'West'];
const DRINKS = [
  ['Espresso', 2.4],
  ['Cappuccino', 3.6],
  ['Latte', 3.9],
  ['Tea', 2.9],
  ['Hot chocolate', 4.2],
] as const;
const DAYS = 540;
const FIRST_DAY = Date.UTC(2025, 0, 1);
const DAY_MS = 86_400_000;

/** A file to begin with: the orders of a coffee shop over eighteen months, with a season and a trend. */
export function sampleFile(): File {
  const lines = ['order_date,region,product,quantity,revenue'];
  for (let day = 0; day < DAYS; day += 1) {
    const date = new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10);
    const season = 1 + 0.35 * Math.cos((2 * Math.PI * day) / 365);
    for (const [index, [drink, price]] of DRINKS.entries()) {
      const region = (day + index) % REGIONS.length;
      const noise = ((day * 7919 + index * 104_729) % 23) / 23;
      const quantity = Math.round((12 - region * 2) * season * (1 + day / DAYS / 2) * (0.6 + 0.8 * noise));
      lines.push([date, REGIONS[region], drink, quantity, (quantity * price).toFixed(2)].join(','));
    }
  }
  return new File([lines.join('\n')], 'Coffee shop.csv', { type: 'text/csv' });
}
