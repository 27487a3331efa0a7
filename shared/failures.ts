/** Expected failures: a literal code, a sentence for the person (what was wrong, what to do), data for the program. */
export class Failure extends Error {
  readonly code: string;
  readonly data: unknown;
  constructor(code: string, message: string, data?: unknown) {
    super(message);
    this.name = 'Failure';
    this.code = code;
    this.data = data;
  }
}

/** The sentence of anything thrown; never a stack. */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
