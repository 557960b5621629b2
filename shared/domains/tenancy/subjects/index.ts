/** The public API of this domain; everything else is internal. */
export {
  type AnchoredText,
  type FollowedWords,
  openSubjects,
  type QuotedText,
  type RowSource,
  type Subject,
  type SubjectKind,
  type SubjectPart,
  type Subjects,
} from './subject.ts';
