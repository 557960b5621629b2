/** The public API of this domain; everything else is internal. */
export { openSubjects, type Subject, type SubjectKind, type SubjectPart, type Subjects } from './subject.ts';
