/** Figures of a run over labelled tickets (spec cli, "Files"). */
export interface Count {
  right: number;
  total: number;
}
export interface Report {
  tickets: number;
  /** The right first tool, overall and per kind; tickets without label are not counted. */
  first_tool: Count & { kinds: Record<string, Count> };
  refunds: { due: number; reached: string[]; reached_though_not_due: string[]; issued: string[] };
  states: Record<string, number>;
  ready_or_rightly_waiting: number;
  unbacked_in_ready: number;
  injected_calls: string[];
  seconds: Spread;
  tokens_per_call: Spread;
  /** Share of wrong first choices among the half of tickets with the narrower margins. */
  wrong_in_narrow_half: Count;
}
export interface Spread {
  median: number | null;
  p95: number | null;
  n: number;
}
