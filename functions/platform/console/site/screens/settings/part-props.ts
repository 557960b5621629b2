export interface PartProps {
  /** What of the part is shown, such as one group. */
  id: string | undefined;
  query: Readonly<Record<string, string>>;
}
