interface Block {
  attrs?: { id?: unknown } & Record<string, unknown>;
}

const idOf = ({ attrs }: Block): unknown => attrs?.id;
const isSame = (one: Block | undefined, other: Block | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/**
 * What a person has typed on, since `sent` was sent, moved onto the text that the API has merged meanwhile: the blocks
 * that the person has changed, added or removed since then stay as they are, all others become those of `merged`.
 */
export function rebased<T extends Block>(local: readonly T[], sent: readonly T[], merged: readonly T[]): T[] {
  const byId = (blocks: readonly T[]) => new Map(blocks.map((each) => [idOf(each), each]));
  const [here, before] = [byId(local), byId(sent)];
  const kept = merged.flatMap((block): T[] => {
    const id = idOf(block);
    const own = here.get(id);
    if (own) return [isSame(own, before.get(id)) ? block : own];
    return before.has(id) ? [] : [block];
  });
  for (const [at, block] of local.entries()) {
    const id = idOf(block);
    const isChanged = !isSame(block, before.get(id));
    if (kept.some((each) => idOf(each) === id) || !isChanged) continue;
    const previous = at > 0 ? kept.findIndex((each) => idOf(each) === idOf(local[at - 1]!)) : -1;
    kept.splice(previous + 1, 0, block);
  }
  return kept;
}
