/** Matches content types against the binary ones, which may be patterns such as `image/*`. */
export function mediaTypeMatcher(binaryTypes: readonly string[]): (contentType: string | undefined) => boolean {
  const patterns = binaryTypes.map((type) => type.toLowerCase());
  if (patterns.includes('*/*')) return () => true;
  return (contentType) => {
    const type = contentType?.split(/[;,]/, 1)[0]?.trim().toLowerCase();
    if (!type) return false;
    return patterns.some((pattern) =>
      pattern.endsWith('/*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern,
    );
  };
}
