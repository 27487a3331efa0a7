// The consent-fatigue report (spec host §10): yeses given faster than a person reads, and tools nobody ever says no to.
// Both say that a question asks too much, not that a person did wrong. Scripted answers are not in it.
import type { Call, ConsentReport } from '../shared/calls.ts';

const quickMs = 1_000;
/** Yeses without a no before a tool counts as always approved. */
const often = 5;

/** What people's consents say about the questions. */
export function consentReport(calls: Call[]): ConsentReport {
  const answered = calls.flatMap((call) =>
    call.consent === null || call.consent.by === 'host' || call.consent.scripted
      ? []
      : [{ call, consent: call.consent }],
  );
  const tools = Map.groupBy(answered, ({ call }) => call.tool);
  return {
    answered: answered.length,
    declined: answered.filter(({ consent }) => consent.answer === 'dont').length,
    quick: answered
      .filter(({ consent }) => consent.answer === 'run' && consent.ms < quickMs)
      .map(({ call, consent }) => ({ call: call.id, tool: call.tool, by: consent.by, ms: consent.ms })),
    always: [...tools]
      .filter(([, all]) => all.length >= often && all.every(({ consent }) => consent.answer === 'run'))
      .map(([tool, all]) => ({ tool, times: all.length })),
  };
}
