/** Where spans go out: batches over OTLP/HTTP, without holding up or failing a desk whose receiver is not there. */
import type { Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace';

export interface TelemetrySettings {
  /** Where spans go: OTLP over HTTP, as JSON. */
  url: string;
  service: string;
  /** Texts, arguments and IDs stand in the spans too. */
  content: boolean;
  /** Milliseconds the receiver may take; null: as the packages have it. */
  patience: number | null;
}

/** Milliseconds that a desk waits at its end for spans to go out. */
const lastPatience = 3_000;

/** `close` sends what is left, for a few seconds at most. Headers and certificates are read by the exporter itself. */
export function openTracer(
  { url, service, content, patience }: TelemetrySettings,
  say: (sentence: string) => void,
): { tracer: Tracer; close: () => Promise<void> } {
  const exporter = new OTLPTraceExporter({ url, ...(patience !== null && { timeoutMillis: patience }) });
  const provider = new TracerProvider({
    // Not the other detectors: they tell of the machine, its user and the command.
    resource: defaultResource()
      .merge(detectResources({ detectors: [resourceAttributesEnvDetector] }))
      .merge(resourceFromAttributes({ 'service.name': service })),
    spanLimits: { attributeValueLengthLimit: content ? 8_192 : 256 },
    spanProcessors: [new BatchSpanProcessor({ exporter: heard(exporter, url, say), scheduledDelayMillis: 1_000 })],
  });
  return {
    tracer: provider.getTracer('desk'),
    async close() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, lastPatience).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}

/** The same exporter; that it does not reach its receiver is said once. */
function heard(exporter: SpanExporter, url: string, say: (sentence: string) => void): SpanExporter {
  let said = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error !== undefined && !said) {
          said = true;
          say(
            `Spans are not taken at ${new URL(url).host}; the desk goes on without. Look at OTEL_EXPORTER_OTLP_ENDPOINT.`,
          );
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
