import { createHash } from 'node:crypto';
import { DIMENSIONS } from '../../shared/platform/ai/dimensions.ts';
import { seededRandom } from './seeded-random.ts';

/** Words of one meaning, a line each, as a model would have learned them. */
const CONCEPTS = `
customer customers client clients buyer buyers subscriber subscribers account accounts
churn churned cancel cancels cancelled cancellation attrition leave leaves leaving left quit departing
employee employees staff people person personnel workforce headcount employed
number many count amount
receivable receivables unpaid invoice invoices bill bills open owed debtors
ageing aging due date overdue late
warehouse stock inventory hand goods
level levels
gross margin profit earnings sold
website web site online session sessions visitor visitors traffic clicks
delivery deliveries shipment shipments parcel carrier
delay delays delayed
marketing advertising campaign campaigns ads
spend budget cost costs
support helpdesk ticket tickets request requests case cases help desk
backlog pending
payroll salary salaries wage wages pay
supplier suppliers vendor vendors
performance quality
energy electricity power kilowatt
consumption use usage
machine equipment downtime outage outages
hospital patient patients admission admissions taken
student students pupil pupils enrolment enrollment register registered
loan loans debt borrower borrowers
default defaults repay
return returns returned back sent refund refunds
product products article articles
exchange currency currencies foreign rate rates
rainfall rain precipitation weather
fraud suspicious transaction transactions
recruiting hiring hire hires applicant applicants candidates job
funnel stage stages
road accident accidents crash crashes vehicle vehicles
tax vat filing filings declaration declarations
software app bug bugs defect defects
revenue turnover sales income
`;

const conceptOf = new Map(
  CONCEPTS.trim()
    .split('\n')
    .flatMap((line) => line.split(' ').map((word, _, words) => [word, words[0]!] as const)),
);

const STOP_WORDS = new Set('a an and as at by do for from how in is of on or our the to we what who with'.split(' '));

/** A direction of its own for each text; the same for the same. */
export function directionOf(text: string): number[] {
  const random = seededRandom(createHash('sha256').update(text).digest().readUInt32BE());
  return Array.from({ length: DIMENSIONS }, () => random() + random() + random() - 1.5);
}

/** Names the script of a test and means nothing. */
const SCRIPT_KEY = /key-[a-z-]+/g;

const directions = new Map<string, number[]>();

/** The meaning of a text as the sum of the meanings of its words, which is all that the model of the tests knows. */
export function embedText(text: string): number[] {
  const meant = text.toLowerCase().replace(SCRIPT_KEY, '');
  const words = (meant.match(/\p{L}+/gu) ?? []).filter((word) => !STOP_WORDS.has(word));
  const sum = directionOf('').map((member) => member / 100);
  for (const word of words) {
    const concept = conceptOf.get(word) ?? word;
    const direction = directions.get(concept) ?? directionOf(concept);
    directions.set(concept, direction);
    for (let index = 0; index < DIMENSIONS; index++) sum[index]! += direction[index]!;
  }
  return sum;
}
