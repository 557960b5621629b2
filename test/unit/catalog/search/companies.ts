import type { SearchDocument, SearchedType } from '../../../../shared/domains/catalog/search/index.ts';
import { seededRandom } from '../../../support/seeded-random.ts';
import { documentOf, JUDGED } from './fixture.ts';

/**
 * A hospital, a carrier and a university with some 2,200 objects, among which those of the hand-made set must still be
 * found. Their words are others, so that the judgements of that set stay right.
 */
const COMPANIES = [
  {
    model: 'Clinic',
    subjects: [
      'cardiology',
      'oncology',
      'neurology',
      'pediatrics',
      'radiology',
      'surgery',
      'orthopedics',
      'dermatology',
      'psychiatry',
      'urology',
      'maternity',
      'intensive care',
      'ophthalmology',
      'anesthesia',
      'rheumatology',
      'geriatrics',
    ],
    measures: [
      'Bed occupancy',
      'Length of stay',
      'Readmissions',
      'Waiting time',
      'Infections',
      'Prescriptions',
      'Mortality',
      'Discharges',
      'Blood transfusions',
      'Nurse shifts',
    ],
    columns: ['patient_id', 'admitted_at', 'discharged_at', 'diagnosis', 'triage_level', 'insurer', 'ward', 'dosage'],
  },
  {
    model: 'Carrier',
    subjects: [
      'Hamburg',
      'Rotterdam',
      'Singapore',
      'Oakland',
      'Santos',
      'Durban',
      'Mombasa',
      'Gdansk',
      'Valencia',
      'Colombo',
      'Yokohama',
      'Callao',
      'Piraeus',
      'Felixstowe',
      'Melbourne',
      'Jeddah',
    ],
    measures: [
      'Berth utilization',
      'Container dwell',
      'Crane moves',
      'Customs holds',
      'Demurrage',
      'Vessel calls',
      'Gate queues',
      'Reefer temperature',
      'Pilotage delays',
      'Tonnage',
    ],
    columns: ['bill_of_lading', 'vessel', 'berth', 'draught', 'eta', 'imo_number', 'tare_weight', 'seal'],
  },
  {
    model: 'Campus',
    subjects: [
      'physics',
      'chemistry',
      'biology',
      'law',
      'history',
      'linguistics',
      'philosophy',
      'medicine',
      'economics',
      'architecture',
      'music',
      'mathematics',
      'geology',
      'astronomy',
      'theology',
      'anthropology',
    ],
    measures: [
      'Enrolment',
      'Graduations',
      'Exam failures',
      'Scholarships',
      'Tutorials',
      'Library loans',
      'Citations',
      'Dropouts',
      'Lecture attendance',
      'Thesis submissions',
    ],
    columns: [
      'matriculation',
      'semester',
      'credit_points',
      'examiner',
      'thesis_title',
      'faculty',
      'tutor',
      'dormitory',
    ],
  },
] as const;

const TYPES: readonly SearchedType[] = ['metric', 'dashboard', 'saved_query', 'report'];
const WAYS = ['', ' by week', ' of last semester', ' compared'];

export const COMPANY_DOCUMENTS: readonly SearchDocument[] = COMPANIES.flatMap(
  ({ model, subjects, measures, columns }) =>
    subjects.flatMap((subject) => [
      ...measures.flatMap((measure) =>
        TYPES.map((type, index) =>
          documentOf(type, `${measure} in ${subject}${WAYS[index]}`, { description: `${measure} of the ${model}` }),
        ),
      ),
      ...columns.map((column) => {
        const alias = subject.toLowerCase().replaceAll(' ', '_');
        return documentOf('field', `${alias}_${column}`, {
          description: `The ${column.replaceAll('_', ' ')}`,
          context: `${model} ${alias}`,
          aliases: [`${alias}.${column}`],
          parent: { type: 'model', id: `model-${model}`, name: model },
        });
      }),
    ]),
);

const SAMPLE = 60;

/** A seeded choice of the objects. */
export function sampled(seed: number): SearchDocument[] {
  const random = seededRandom(seed);
  return Array.from({ length: SAMPLE }, () => COMPANY_DOCUMENTS[Math.floor(random() * COMPANY_DOCUMENTS.length)]!);
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** The text with one mistake in its longest word: a letter too many, too few, another, or two in the wrong order. */
export function withTypo(text: string, random: () => number): string {
  const longest = text.match(/\p{L}+/gu)!.reduce((a, b) => (b.length > a.length ? b : a));
  const start = text.indexOf(longest);
  const at = start + 1 + Math.floor(random() * (longest.length - 2));
  const letter = LETTERS[Math.floor(random() * LETTERS.length)]!;
  switch (Math.floor(random() * 4)) {
    case 0:
      return text.slice(0, at) + letter + text.slice(at);
    case 1:
      return text.slice(0, at) + text.slice(at + 1);
    case 2:
      return text.slice(0, at) + letter + text.slice(at + 1);
    default:
      return text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2);
  }
}

type Judged = readonly [query: string, ...wanted: string[]];

const random = seededRandom(11);
/** Queries for the generated objects, of which only the object itself is meant. */
const GENERATED: Readonly<Record<'typo' | 'inflection' | 'words', readonly Judged[]>> = {
  typo: sampled(1).map(({ name }): Judged => [withTypo(name, random), name]),
  inflection: sampled(2).map(({ name }): Judged => [name.replace(/^(\p{L}+?)s? /u, '$1s '), name]),
  words: sampled(3).map(({ name }): Judged => [name.split(/[ _]/).toReversed().join(' '), name]),
};

/** All judged queries, written by hand and generated. */
export const JUDGED_SLICES: Readonly<Record<string, readonly Judged[]>> = {
  name: [...sampled(4), ...sampled(5)].map(({ name }): Judged => [name, name]),
  typo: [...JUDGED.typo, ...GENERATED.typo],
  inflection: [...JUDGED.inflection, ...GENERATED.inflection],
  synonym: JUDGED.synonym,
  words: [...JUDGED.words, ...GENERATED.words],
  prefix: JUDGED.prefix,
};

/**
 * Queries by which nothing was tuned: other objects and other typos than those above. The ranking is changed by the
 * slices above only, and these show whether it got better or only fits them.
 */
export const HELD_OUT_SLICES: Readonly<Record<'typo' | 'inflection' | 'words' | 'prefix', readonly Judged[]>> = {
  typo: sampled(21).map(({ name }): Judged => [withTypo(name, random), name]),
  inflection: sampled(22).map(({ name }): Judged => [name.replace(/^(\p{L}+?)s? /u, '$1s '), name]),
  words: sampled(23).map(({ name }): Judged => [name.split(/[ _]/).toReversed().join(' '), name]),
  prefix: sampled(24).map(({ name }): Judged => [name.slice(0, -2), name]),
};
