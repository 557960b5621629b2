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
