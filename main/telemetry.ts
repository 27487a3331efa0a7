/**
 * OpenTelemetry (spec host §24): off unless the standard variables name a receiver. What makes the spans, `spans.ts` and its
 * packages, is loaded only then; everybody else has null where it is off.
 */
import type { Clock } from './ports.ts';
import type { TelemetrySettings } from './spanExport.ts';
import type { Telemetry } from './spans.ts';

/** Null where it is off. `say` hears of variables that cannot be followed, and of a receiver that does not take the spans. */
export async function openTelemetry(
  env: Record<string, string | undefined>,
  clock: Clock,
  say: (sentence: string) => void,
): Promise<Telemetry | null> {
  const settings = settingsOf(env, say);
  if (settings === null) return null;
  const { createSpans } = await import('./spans.ts');
  return createSpans(settings, clock, say);
}

/** What the variables ask for (OpenTelemetry "Environment Variable Specification"), null for nothing. */
export function settingsOf(
  env: Record<string, string | undefined>,
  say: (sentence: string) => void,
): TelemetrySettings | null {
  // A variable that is set to nothing counts as not set.
  const read = (name: string): string => env[name]?.trim() ?? '';
  const exporter = read('OTEL_TRACES_EXPORTER');
  if (read('OTEL_SDK_DISABLED').toLowerCase() === 'true' || exporter === 'none') return null;
  const own = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  const base = read('OTEL_EXPORTER_OTLP_ENDPOINT');
  if (own === '' && base === '') return null;
  const refuse = (why: string): null => {
    say(`No spans are sent: ${why}`);
    return null;
  };
  if (exporter !== '' && exporter !== 'otlp')
    return refuse(`OTEL_TRACES_EXPORTER is "${exporter}"; the desk knows "otlp" and "none".`);
  const protocol = read('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') || read('OTEL_EXPORTER_OTLP_PROTOCOL');
  if (protocol === 'grpc')
    return refuse('OTEL_EXPORTER_OTLP_PROTOCOL is "grpc"; the desk speaks OTLP over HTTP, usually at port 4318.');
  const url = own || `${base.replace(/\/+$/, '')}/v1/traces`;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    return refuse(`OTEL_EXPORTER_OTLP_${own === '' ? '' : 'TRACES_'}ENDPOINT is no http: or https: address.`);
  const timed = read('OTEL_EXPORTER_OTLP_TRACES_TIMEOUT') || read('OTEL_EXPORTER_OTLP_TIMEOUT');
  return {
    url,
    service: read('OTEL_SERVICE_NAME') || 'desk',
    content: read('OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT').toLowerCase() === 'true',
    patience: timed === '' ? 3_000 : null,
  };
}
