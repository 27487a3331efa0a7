// Definitions of tools as their servers give them, asked for once a server and again after it changed: the currency of a
// result, whether there is a view for it.
import { useEffect } from 'react';
import { create } from 'zustand';
import type { Call } from '../../shared/calls.ts';
import { at, isObject, type Json, type JsonObject } from '../../shared/json.ts';
import { desk } from '../session.ts';
import { signOf } from './money.ts';

const useSigns = create<{ raws: Readonly<Record<string, JsonObject>> }>(() => ({ raws: {} }));
const asked = new Set<string>();

desk.follow('servers', {
  list: () => asked.clear(),
  change: (change) => void asked.delete(change.id),
});

function ask(prefix: string): void {
  if (asked.has(prefix)) return;
  asked.add(prefix);
  desk.ask('servers.check', { prefix }, { deadline: null }).then(
    ({ tools }) =>
      useSigns.setState(({ raws }) => ({
        raws: {
          ...raws,
          ...Object.fromEntries(tools.map(({ definition }) => [`${prefix}.${definition.name}`, definition.raw])),
        },
      })),
    // Amounts then stand without a sign, as the record has them.
    () => undefined,
  );
}

const currencies: [RegExp, string][] = [
  [/\beuros?\b|\bEUR\b|€/i, '€'],
  [/\bpounds?\b|\bGBP\b|£/i, '£'],
  [/\bUS dollars?\b|\bUSD\b/i, 'US$'],
];
function signIn(text: Json | undefined): string | undefined {
  return typeof text === 'string' ? currencies.find(([word]) => word.test(text))?.[1] : undefined;
}

/** The definition of a call's tool as its server gives it now; undefined until it is known. */
export function useDefinition(call: { prefix: string; tool: string } | null): JsonObject | undefined {
  const raw = useSigns(({ raws }) => (call === null ? undefined : raws[call.tool]));
  const prefix = call !== null && raw === undefined ? call.prefix : null;
  useEffect(() => {
    if (prefix !== null) ask(prefix);
  }, [prefix]);
  return raw;
}

/** The sign before amounts of a result: the record's own word first, the definition's, that of the money it moved; else none. */
export function useSign({ prefix, tool, money }: Call, record: JsonObject): string {
  const raw = useSigns(({ raws }) => raws[tool]);
  const own = record['currency'];
  const wanted = raw === undefined && typeof own !== 'string';
  useEffect(() => {
    if (wanted) ask(prefix);
  }, [wanted, prefix]);
  if (typeof own === 'string') return signOf(own);
  const fields = at(raw, '/outputSchema/properties');
  for (const field of isObject(fields) ? Object.values(fields) : []) {
    const sign = isObject(field) ? signIn(field['description']) : undefined;
    if (sign !== undefined) return sign;
  }
  return money === null ? '' : signOf(money.currency);
}
