/** Figures of recorded runs over labelled tickets, and of two runs ticket by ticket (spec model, "Recordings and scores"). */
import type { Count, Spread } from './report.ts';

export interface KindScores {
  tickets: number;
  first_tool: Count;
  end_state: Count;
  as_written: Count;
  as_meant: Count;
  refunds_due_reached: Count;
  not_due_reached: string[];
  issued: string[];
  ready: Count;
  ready_or_rightly_waiting: Count;
  handed_over: Count;
  failed: Count;
  unbacked_in_ready: number;
  seconds: Spread;
  tokens_per_call: Spread;
}
export interface Scores {
  all: KindScores;
  kinds: Record<string, KindScores>;
}
export interface Measure {
  name: string;
  both: number;
  neither: number;
  /** Tickets only the first, only the second run got right. */
  only_first: string[];
  only_second: string[];
  /** Exact two-sided sign test. */
  p: number;
}
export interface Comparison {
  /** Tickets that stand in both runs with the same text. */
  tickets: number;
  /** Both runs are over these tickets and no others: figures of the whole may be held against each other. */
  same_tickets: boolean;
  /** What is not the same in both runs, a sentence each. */
  differs: string[];
  measures: Measure[];
}
