/** What the host and the model worker say to each other: one shape per operation, so both ends are checked alike. */
import type { Meter } from '../../shared/runs.ts';

/** `own` text may hold the model's control strings; text from `outside` and from the `model` never does. */
export interface Segment {
  text: string;
  trust: 'own' | 'outside' | 'model';
}
export interface WorkerOptions {
  file: string;
  sha256: string;
  /** Tokens the model sees at once. */
  contextSize: number;
  /** 0: as many as the machine has physical cores. */
  threads: number;
  gpu: 'auto' | false;
  prefixFolder: string;
  temperature: number;
}
export interface Ready {
  build: string;
  contextSize: number;
}
export interface Prefix {
  tokens: number;
  from: 'memory' | 'disk' | 'evaluated' | 'rebuilt';
  ms: number;
  /** A sentence, when a kept prefix was damaged or could not be kept. */
  problem?: string;
}
export interface Chosen {
  /** One per option, in their order; they sum to 1. */
  probabilities: number[];
  meter: Meter;
}
export interface Written {
  text: string;
  meter: Meter;
}
export interface Generation {
  /** GBNF with a rule `root`. */
  grammar?: string;
  maxTokens: number;
  stop?: string[];
}
export interface Operations {
  open: { input: WorkerOptions; output: Ready };
  count: { input: { segments: Segment[] }; output: number };
  prefix: { input: { segments: Segment[] }; output: Prefix };
  rewind: { input: object; output: null };
  read: { input: { segments: Segment[] }; output: Meter };
  choose: { input: { segments: Segment[]; options: string[] }; output: Chosen };
  generate: { input: { segments: Segment[] } & Generation; output: Written };
  mark: { input: object; output: number };
  back: { input: { mark: number }; output: null };
}
export type Operation = keyof Operations;

export interface Request {
  id: number;
  op: Operation;
  input: unknown;
}
export interface Cancel {
  cancel: number;
}
export type Reply =
  { id: number; ok: true; value: unknown } | { id: number; ok: false; code: string; message: string; data: unknown };
