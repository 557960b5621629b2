/** Invented rows for the pictures of the guide, always the same. */

const MONTHS = Array.from({ length: 8 }, (_, index) => `2026-0${index + 1}-01`);

export const months = MONTHS.map((month, index) => [
  month,
  [98, 112, 105, 131, 124, 140, 152, 149][index]!,
  40 + index * 7,
]);

const SHARES = { North: 1, South: 0.7, East: 0.45, West: 0.85 };
export const regions: [string, string, number][] = MONTHS.flatMap((month, index) =>
  Object.entries(SHARES).map(([region, share], at): [string, string, number] => [
    month,
    region,
    Math.round((30 + index * 4 + ((index * 7 + at * 5) % 11)) * share),
  ]),
);

export const ages = [4, 9, 17, 26, 22, 14, 8, 3].map((people, index) => [index * 10, people]);

export const cities = Array.from({ length: 24 }, (_, index) => [
  `City ${index + 1}`,
  ['Food', 'Books', 'Tools'][index % 3]!,
  10 + ((index * 37) % 50),
  200 - ((index * 37) % 50) * 3 + ((index * 17) % 40),
  1 + ((index * 5) % 12),
]);

export const days = Array.from({ length: 60 }, (_, index) => [
  ['Phone', 'Chat', 'Mail'][index % 3]!,
  8 + (index % 3) * 6 + ((index * 29) % 23) + (index === 31 ? 40 : 0),
]);

const CODES =
  'US CA MX BR AR CL CO PE GB FR DE ES IT PL SE NO FI NL CH UA TR EG NG ZA KE MA SA IN CN JP KR ID AU NZ TH VN SG Atlantis';
export const countries = CODES.split(' ').map((code, index) => [code, 20 + ((index * 61) % 180)]);

const STATES =
  'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY';
export const states = STATES.split(' ').map((code, index) => [code, 10 + ((index * 47) % 90)]);

export const steps = [
  ['Visit', 12_400],
  ['Product', 6800],
  ['Basket', 2150],
  ['Payment', 1310],
  ['Order', 1190],
];

export const parts = [
  ['Revenue', 480],
  ['Returns', -42],
  ['Goods', -210],
  ['People', -95],
  ['Rent', -38],
  ['Subsidies', 15],
];

export const products = [
  ['Food', 'Coffee', 320],
  ['Food', 'Tea', 190],
  ['Food', 'Cocoa', 90],
  ['Food', 'Honey', 55],
  ['Books', 'Novels', 260],
  ['Books', 'Travel', 120],
  ['Books', 'Comics', 70],
  ['Tools', 'Grinders', 210],
  ['Tools', 'Filters', 85],
  ['Tools', 'Kettles', 60],
];

export const daily = Array.from({ length: 150 }, (_, index) => [
  new Date(Date.UTC(2026, 0, 5 + index)).toISOString().slice(0, 10),
  20 + ((index * 37) % 41) + (index % 7 > 4 ? -15 : 10) + Math.round(index / 5),
]);

export const visits = [
  ['Search', 'Home', 420],
  ['Search', 'Product', 260],
  ['Ads', 'Product', 310],
  ['Mail', 'Home', 140],
  ['Home', 'Product', 330],
  ['Home', 'Left', 230],
  ['Product', 'Basket', 390],
  ['Product', 'Left', 510],
];

export const places = [
  ['Berlin', 'Store', 13.4, 52.5, 320],
  ['Hamburg', 'Store', 10, 53.6, 210],
  ['München', 'Store', 11.6, 48.1, 260],
  ['Köln', 'Depot', 6.96, 50.9, 120],
  ['Leipzig', 'Depot', 12.4, 51.3, 90],
  ['Wien', 'Store', 16.4, 48.2, 240],
  ['Zürich', 'Store', 8.5, 47.4, 150],
];
