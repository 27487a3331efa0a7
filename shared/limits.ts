/** Limits on what servers may do to the desk (spec trust, "Limits"): each with its usual value and what an admin may set instead. */
export interface LimitEntry {
  unit: string;
  /** Whole numbers, in the unit. */
  usual: number;
  least: number;
  most: number;
  /** What it is for, in one line. */
  says: string;
}

export const limitEntries = {
  'message-size': {
    ...{ unit: 'KiB', usual: 8_192, least: 64, most: 65_536 },
    says: 'The longest single message of a server; a longer answer is refused.',
  },
  'message-depth': {
    ...{ unit: 'levels', usual: 64, least: 16, most: 256 },
    says: 'How deep the data in a message may be nested.',
  },
  tools: {
    ...{ unit: 'tools', usual: 512, least: 1, most: 4_096 },
    says: 'How many tools of one server are read; the rest is left out. Also for its prompts and documents.',
  },
  pages: {
    ...{ unit: 'pages', usual: 100, least: 1, most: 1_000 },
    says: 'How many pages a list of a server may come in.',
  },
  'list-time': {
    ...{ unit: 'seconds', usual: 30, least: 5, most: 300 },
    says: 'How long reading one whole list may take.',
  },
  'schema-size': {
    ...{ unit: 'KiB', usual: 256, least: 16, most: 2_048 },
    says: 'The longest schema of a tool; a tool with a longer one is not offered.',
  },
  'schema-depth': {
    ...{ unit: 'levels', usual: 32, least: 8, most: 64 },
    says: 'How deep the schemas inside a schema may be nested.',
  },
  'schema-parts': {
    ...{ unit: 'schemas', usual: 2_000, least: 100, most: 20_000 },
    says: 'How many schemas may stand inside one.',
  },
  'state-size': {
    ...{ unit: 'KiB', usual: 64, least: 4, most: 1_024 },
    says: 'The longest note a server may give the desk to bring back with an answer.',
  },
  rounds: {
    ...{ unit: 'rounds', usual: 10, least: 1, most: 50 },
    says: 'How often a server may ask something during one call; then the call fails.',
  },
  questions: {
    ...{ unit: 'questions', usual: 8, least: 1, most: 32 },
    says: 'How many questions a server may ask at once.',
  },
  'call-silence': {
    ...{ unit: 'seconds', usual: 10, least: 1, most: 600 },
    says: 'How long a call may bring neither an answer nor progress.',
  },
  'call-time': {
    ...{ unit: 'seconds', usual: 600, least: 10, most: 7_200 },
    says: 'How long a call may take, whatever progress it makes. A person’s thinking does not count.',
  },
  notices: {
    ...{ unit: 'notices a second', usual: 50, least: 1, most: 1_000 },
    says: 'How many notices of a server are heard.',
  },
  'list-pause': {
    ...{ unit: 'seconds', usual: 5, least: 1, most: 300 },
    says: 'How long a list stands before news of a change has it read again.',
  },
  'log-size': {
    ...{ unit: 'KiB', usual: 256, least: 16, most: 4_096 },
    says: 'How much of what a server writes to its log (stderr) is kept, the newest.',
  },
  redirects: {
    ...{ unit: 'redirects', usual: 3, least: 0, most: 10 },
    says: 'How often a server’s address may send the desk on, always within the same site.',
  },
  'address-length': {
    ...{ unit: 'characters', usual: 2_048, least: 256, most: 8_192 },
    says: 'The longest address of a server that is followed.',
  },
  restarts: {
    ...{ unit: 'restarts', usual: 5, least: 0, most: 50 },
    says: 'How often a server that goes away is started again by itself within the restart window.',
  },
  'restart-window': {
    ...{ unit: 'minutes', usual: 10, least: 1, most: 1_440 },
    says: 'The time in which those restarts are counted.',
  },
  'restart-pause': {
    ...{ unit: 'seconds', usual: 1, least: 1, most: 60 },
    says: 'The wait before the first restart; it doubles with each.',
  },
  'restart-longest-pause': {
    ...{ unit: 'seconds', usual: 60, least: 1, most: 3_600 },
    says: 'The longest wait before a restart.',
  },
} as const satisfies Record<string, LimitEntry>;

export type LimitName = keyof typeof limitEntries;
/** Values that an admin set, in their units; the others are the usual ones. */
export type LimitValues = Partial<Record<LimitName, number>>;

/** A limit as views show it. */
export interface LimitRow extends LimitEntry {
  name: LimitName;
  value: number;
}

export function isLimit(name: string): name is LimitName {
  return Object.hasOwn(limitEntries, name);
}

/** Every limit with the value in force from the next start of a server. */
export function limitRows(set: LimitValues): LimitRow[] {
  return Object.entries(limitEntries).flatMap(([name, entry]) =>
    isLimit(name) ? [{ name, ...entry, value: set[name] ?? entry.usual }] : [],
  );
}

/** Why a limit cannot have a value, with the range; null where it can. */
export function limitProblem(name: LimitName, value: number): string | null {
  const { least, most, unit } = limitEntries[name];
  if (Number.isInteger(value) && value >= least && value <= most) return null;
  return `“${name}” is a whole number from ${least} to ${most}, in ${unit}.`;
}
