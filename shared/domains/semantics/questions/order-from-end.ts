import type { Question } from '../../../data/semantics/question.ts';

/** The order of an answer from its end. Rows that the sort leaves equal are in the order of the dimensions. */
export const orderFromEnd = (sort: Question['sort'], dimensions: number): Question['sort'] =>
  [...sort, ...Array.from({ length: dimensions }, (_, position) => ({ position, descending: false }))].map(
    ({ position, descending }) => ({ position, descending: !descending }),
  );
