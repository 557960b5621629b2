import { stemOf, wordsOf } from './words.ts';

/** Business words with nearly the same meaning, a group a line, separated by commas. */
const GROUPS = `
revenue, turnover, sales, income, top line
churn, attrition, cancellations
headcount, fte, employees, staff, workforce, full time equivalent
customer, client, account holder, buyer
supplier, vendor
profit, earnings, net income, bottom line
margin, markup
cost, expense, spend, expenditure, outlay
accounts receivable, receivables, ar, debtors
accounts payable, payables, ap, creditors
mrr, monthly recurring revenue
arr, annual recurring revenue
ltv, clv, lifetime value, customer lifetime value
cac, customer acquisition cost, acquisition cost
arpu, average revenue per user
aov, average order value, basket size
gmv, gross merchandise value
cogs, cost of goods sold, cost of sales
ebitda, operating profit, operating income
opex, operating expenses
capex, capital expenditure
roi, return on investment
roas, return on ad spend
kpi, metric, indicator, measure
nps, net promoter score, promoter score
csat, customer satisfaction, satisfaction
ctr, click through rate
cpc, cost per click
cpa, cost per acquisition
sla, service level agreement, service level
dau, daily active users
mau, monthly active users
wau, weekly active users
yoy, year over year, year on year
mom, month over month, month on month
ytd, year to date
pnl, p l, profit and loss, income statement
fx, foreign exchange, exchange rate, currency
vat, sales tax, value added tax
po, purchase order
sku, stock keeping unit, article, item, product
hr, human resources, personnel, people
it, information technology
crm, customer relationship management
erp, enterprise resource planning
order, purchase, booking
invoice, bill, receivables
payment, remittance, settlement
refund, reimbursement, chargeback
return, rma
discount, rebate, markdown, price reduction
price, tariff, rate card
budget, plan, target
forecast, prediction, projection, outlook
actuals, actual
variance, deviation
inventory, stock, goods on hand
shipment, delivery, dispatch, consignment
warehouse, depot, distribution center, fulfillment center
freight, shipping, carriage
backlog, backorder, open orders
lead, prospect
opportunity, deal
pipeline, funnel
conversion, conversion rate
campaign, promotion
advertising, ads, ad spend, marketing spend
visitor, session, visit, traffic
bounce, bounce rate
signup, registration, sign up, enrolment, enrollment
login, sign in, logon
user, member, subscriber
subscription, membership, plan
renewal, retention
upsell, expansion, cross sell
downgrade, contraction
ticket, case, support request, incident
complaint, grievance, escalation
agent, representative, rep
salary, wage, pay, compensation, payroll
hire, recruitment, recruiting, new joiner
termination, leaver, exit
absence, sick leave, absenteeism
holiday, vacation, leave, pto
contractor, freelancer
manager, supervisor, lead
department, division, team, unit
branch, store, shop, outlet, location
region, territory, area
country, nation
city, town
address, postal address
postcode, zip, zip code, postal code
phone, telephone, mobile
email, mail address
birthday, date of birth, dob
gender, sex
debt, liability, loan, borrowing
asset, holding
equity, net worth
cash, liquidity
cash flow, cashflow
balance, outstanding amount
balance sheet, statement of financial position
ledger, general ledger, gl
depreciation, amortization, amortisation, write down
interest, interest rate
overdue, late, past due, delinquent
quantity, qty, amount, volume, units
average, avg, mean
maximum, max, highest
minimum, min, lowest
total, sum
count, number, no
percentage, percent, pct, share, ratio
growth, increase
decline, decrease, drop
trend, development
daily, per day, day
weekly, per week, week
monthly, per month, month
quarterly, per quarter, quarter
yearly, annual, per year, year
ranking, leaderboard, top list
overview, summary, dashboard, cockpit
report, statement
alert, alarm, warning
defect, fault, failure, bug
downtime, outage, unavailability
uptime, availability
throughput, output, production
yield, efficiency
scrap, waste
capacity, utilization, utilisation, load
supplier performance, vendor performance
procurement, purchasing, sourcing
contract, agreement
policy, insurance policy
claim, insurance claim
premium, insurance premium
patient, case
physician, doctor
student, pupil, learner
course, class, training
donation, gift, contribution
budget holder, cost center owner
cost center, cost centre
fraud, abuse
risk, exposure
emissions, carbon, co2, greenhouse gas
energy, electricity, power
vehicle, car, truck, fleet
driver, courier
segment, cohort, group
category, class, type
brand, label
channel, medium, source
device, platform
browser, user agent
feedback, review, survey
score, rating, grade
owner, responsible
status, state, stage
priority, urgency, severity
duration, elapsed time, length
latency, response time, lag
created, opened, started
closed, resolved, finished, completed
`;

const MAX_ALTERNATIVES = 8;
/** The longest phrase with other words for it, in words. */
const MAX_PHRASE = 6;

const keyOf = (words: readonly string[]): string => words.map(stemOf).join(' ');

/** Other words for phrases, by the stems of each. */
export type Thesaurus = ReadonlyMap<string, readonly string[][]>;

/** Makes the phrases of each group other words for each other. */
export function thesaurusOf(groups: Iterable<readonly string[]>): Thesaurus {
  const found = new Map<string, string[][]>();
  for (const group of groups) {
    const phrases = group
      .map((phrase) => wordsOf(phrase).map(({ text }) => text))
      .filter(({ length }) => length > 0 && length <= MAX_PHRASE);
    for (const phrase of phrases) {
      const key = keyOf(phrase);
      const others = phrases.filter((each) => keyOf(each) !== key);
      found.set(key, [...(found.get(key) ?? []), ...others].slice(0, MAX_ALTERNATIVES));
    }
  }
  return found;
}

const BUSINESS_WORDS = thesaurusOf(
  GROUPS.trim()
    .split('\n')
    .map((line) => line.split(',')),
);

/** Words of a query that stand for one thing, with other words for it. */
export interface Unit {
  words: string[];
  alternatives: readonly (readonly string[])[];
}

/** Takes the longest phrases that the business words or the workspace's own words have; own words come first. */
export function unitsOf(words: readonly string[], own?: Thesaurus): Unit[] {
  const alternativesOf = (phrase: readonly string[]) => {
    const key = keyOf(phrase);
    return [...(own?.get(key) ?? []), ...(BUSINESS_WORDS.get(key) ?? [])].slice(0, MAX_ALTERNATIVES);
  };
  const units: Unit[] = [];
  let start = 0;
  while (start < words.length) {
    const lengths = Array.from({ length: Math.min(MAX_PHRASE, words.length - start) }, (_, index) => index + 1);
    const length = lengths.findLast((each) => alternativesOf(words.slice(start, start + each)).length > 0) ?? 1;
    const phrase = words.slice(start, start + length);
    units.push({ words: phrase, alternatives: alternativesOf(phrase) });
    start += length;
  }
  return units;
}
