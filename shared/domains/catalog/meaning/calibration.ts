import { cosine, type Vector } from './vectors.ts';

/** Names of objects, and what people might call them without using their words. */
const PAIRS = [
  ['Customer churn rate', 'how many clients cancel'],
  ['Employee headcount', 'number of people on staff'],
  ['Accounts receivable ageing', 'unpaid bills by due date'],
  ['Warehouse stock levels', 'inventory on hand'],
  ['Gross margin', 'profit on goods sold'],
  ['Website sessions', 'online visitor traffic'],
  ['Delivery delays', 'late shipments'],
  ['Marketing spend', 'advertising budget'],
  ['Support ticket backlog', 'open helpdesk requests'],
  ['Payroll', 'salaries and wages'],
  ['Supplier performance', 'vendor quality'],
  ['Energy consumption', 'electricity use'],
  ['Machine downtime', 'equipment outages'],
  ['Hospital admissions', 'patients taken in'],
  ['Student enrolment', 'pupils who register'],
  ['Loan defaults', 'debt that borrowers do not repay'],
  ['Return rate', 'products sent back'],
  ['Exchange rates', 'foreign currency prices'],
  ['Rainfall', 'precipitation'],
  ['Fraud cases', 'suspicious transactions'],
  ['Recruiting funnel', 'job applicants by stage'],
  ['Road accidents', 'vehicle crashes'],
  ['Tax filings', 'VAT declarations'],
  ['Software bugs', 'defects in the app'],
] as const;

/** A model is suitable if texts of the same meaning are at least so much closer than others. */
const MIN_GAP = 0.05;

/** What is embedded once for each model, before it is used. */
export const CALIBRATION_TEXTS: readonly string[] = PAIRS.flat();

/**
 * How close a text and a query must be to have the same meaning, which differs from model to model: between nearly all
 * pairs of different meaning and the usual pair of the same. Undefined for a model that does not tell these apart.
 */
export function calibrateThreshold(vectors: readonly Vector[]): number | undefined {
  const names = PAIRS.map((_, index) => vectors[2 * index]!);
  const others = PAIRS.map((_, index) => vectors[2 * index + 1]!);
  const related = names.map((name, index) => cosine(name, others[index]!));
  const unrelated = names.flatMap((name, index) =>
    others.filter((_, at) => at !== index).map((other) => cosine(name, other)),
  );
  const [usual, farthest] = [quantile(related, 0.5), quantile(unrelated, 0.95)];
  return usual - farthest < MIN_GAP ? undefined : (usual + farthest) / 2;
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))]!;
