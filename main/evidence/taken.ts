// Which parts of a text are already part of a found span: a long ticket may hold tens of thousands.
export interface Taken {
  /** Takes a span unless any of it is taken; says whether it did. */
  take: (start: number, end: number) => boolean;
}

export function createTaken(length: number): Taken {
  const units = new Uint8Array(length);
  return {
    take(start, end) {
      if (units.subarray(start, end).includes(1)) return false;
      units.fill(1, start, end);
      return true;
    },
  };
}
