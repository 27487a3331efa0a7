/**
 * The spans of a desk, by OpenTelemetry's conventions for MCP and generative models where there are some. Names of tools,
 * servers and models, numbers and outcomes stand in them; arguments, texts and IDs only where `content` says so.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api';
import type { Call } from '../shared/calls.ts';
import { Failure } from '../shared/failures.ts';
import { isObject, type JsonObject } from '../shared/json.ts';
import type { Question } from '../shared/questions.ts';
import type { Meter, TicketRun } from '../shared/runs.ts';
import type { ServerConfig } from '../shared/servers.ts';
import type { Ticket } from '../shared/tickets.ts';
import { blotText } from './blot.ts';
import type { Connection } from './mcp/connection.ts';
import type { CallRequest } from './mcp/invoke.ts';
import type { AroundTask } from './mcp/tasks.ts';
import type { Model } from './model/model.ts';
import type { Clock } from './ports.ts';
import { openTracer, type TelemetrySettings } from './spanExport.ts';

export interface Telemetry {
  /** The same connection: calls, readings, prompts and what is asked of tasks make a span each; servers are told which. */
  connection(connection: Connection, config: ServerConfig): Connection;
  /** The same model: each decode makes a span of its tokens. */
  model(model: Model): Model;
  /** The same session: each ticket run makes a span that the others stand under. */
  session<S extends Works>(session: S): S;
  /** A question changed; where a person answered it, it had waited since it was asked. */
  answered(question: Question): void;
  /** A call moved on; where a person consented or declined, that had waited. */
  moved(call: Call): void;
  /** Sends what is left, for a few seconds at most. */
  close(): Promise<void>;
}

/** Works tickets, as a session does. */
interface Works {
  workTicket(ticket: Ticket, watch: Watch): Promise<TicketRun>;
  goOn(call: Call, watch: Watch): Promise<TicketRun>;
}
interface Watch {
  step?: (words: string) => void;
  signal?: AbortSignal;
}

/** What a request came to, as far as a span tells it. */
interface Outcome {
  kind: string;
  code?: number;
  message?: string;
  text?: string | null;
  /** Of a task that began. */
  handle?: string;
}
interface Asked {
  method: 'tools/call' | 'resources/read' | 'prompts/get' | Parameters<AroundTask>[0];
  /** What names the span beside the method; a URI would hold IDs. */
  target: string | null;
  more: Attributes;
  /** Stands in no span, whatever is switched on: the handle of a task. */
  secret?: string | undefined;
}

export function createSpans(settings: TelemetrySettings, clock: Clock, say: (sentence: string) => void): Telemetry {
  const { content } = settings;
  const { tracer, close } = openTracer(settings, say);
  /** What goes on now belongs to this span. */
  const around = new AsyncLocalStorage<Context>();
  /** Calls whose consent was told. */
  const told = new Set<string>();

  function start(name: string, kind: SpanKind, attributes: Attributes, startTime?: number): Span {
    const options = { kind, attributes, ...(startTime !== undefined && { startTime }) };
    return tracer.startSpan(name, options, around.getStore() ?? ROOT_CONTEXT);
  }
  /** Does the work under a span; a failure is told by its code, never by its words. */
  async function under<T>(span: Span, work: () => Promise<T>, told: (result: T) => void): Promise<T> {
    try {
      const result = await around.run(trace.setSpan(ROOT_CONTEXT, span), work);
      told(result);
      return result;
    } catch (error) {
      failed(span, error instanceof Failure ? error.code : '_OTHER');
      throw error;
    } finally {
      span.end();
    }
  }
  function failed(span: Span, type: string): void {
    span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
  }

  function exchanged(connection: Connection, transport: 'pipe' | 'tcp') {
    return async <T extends Outcome>(
      { method, target, more, secret }: Asked,
      meta: JsonObject | undefined,
      send: (meta: JsonObject) => Promise<T>,
    ): Promise<T> => {
      const span = start(target === null ? method : `${method} ${target}`, SpanKind.CLIENT, {
        'mcp.method.name': method,
        'network.transport': transport,
        'desk.server': connection.prefix,
        ...more,
      });
      return under(
        span,
        () => send({ ...meta, ...carried(span) }),
        (outcome) => {
          const { revision } = connection.status();
          if (revision !== null) span.setAttribute('mcp.protocol.version', revision);
          ended(span, outcome, secret ?? outcome.handle);
        },
      );
    };
  }
  function called(spanned: ReturnType<typeof exchanged>, connection: Connection): Connection['call'] {
    return (request: CallRequest) => {
      const more = {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': request.tool,
        ...open({ 'gen_ai.tool.call.arguments': JSON.stringify(request.arguments) }),
      };
      const asked: Asked = { method: 'tools/call', target: request.tool, more };
      const outcome: Promise<unknown> = spanned(asked, request.meta, (meta) => connection.call({ ...request, meta }));
      // What comes back is what the connection gives for such a request.
      return outcome as Promise<never>;
    };
  }
  /** A task is one call and many requests about it: each is a span, by its method alone. */
  function aroundTask(spanned: ReturnType<typeof exchanged>, handle: string): AroundTask {
    return (method, send) => spanned({ method, target: null, more: {}, secret: handle }, undefined, send);
  }
  function ended(span: Span, outcome: Outcome, secret: string | undefined): void {
    const { kind, code, text, message } = outcome;
    span.setAttribute('desk.outcome', kind === 'answer' ? 'result' : kind);
    const type = code === undefined ? errorTypes[kind] : String(code);
    if (type !== undefined) failed(span, type);
    if (code !== undefined) span.setAttribute('rpc.response.status_code', String(code));
    const words = content ? (text ?? message) : undefined;
    if (words !== undefined)
      span.setAttribute(
        code === undefined ? 'gen_ai.tool.call.result' : 'desk.error',
        blotText(words, secret === undefined ? [] : [secret]),
      );
  }
  /** What only stands in a span where that was asked for. */
  function open(attributes: Attributes): Attributes {
    return content ? attributes : {};
  }

  function waited(name: string, from: number, to: number, attributes: Attributes): void {
    start(name, SpanKind.INTERNAL, attributes, from).end(to);
  }
  function decoded<T>(model: Model, what: string, work: () => Promise<T>, meterOf: (result: T) => Meter): Promise<T> {
    const { name } = model.info;
    const span = start(`text_completion ${name}`, SpanKind.INTERNAL, {
      'gen_ai.operation.name': 'text_completion',
      'gen_ai.provider.name': 'llama.cpp',
      'gen_ai.request.model': name,
      'desk.decode': what,
    });
    return under(span, work, (result) => {
      const { evaluated, reused, generated } = meterOf(result);
      span.setAttributes({
        'gen_ai.usage.input_tokens': evaluated + reused,
        'gen_ai.usage.cache_read.input_tokens': reused,
        'gen_ai.usage.output_tokens': generated,
      });
    });
  }
  function run(ticket: string, resumed: boolean, work: () => Promise<TicketRun>): Promise<TicketRun> {
    const span = start('ticket run', SpanKind.INTERNAL, {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'desk',
      'desk.run.resumed': resumed,
      ...open({ 'desk.ticket': ticket }),
    });
    return under(span, work, ({ state, ask, turns, draft, why }) => {
      span.setAttributes({
        'desk.run.state': state,
        'desk.run.turns': turns.length,
        'desk.run.calls': turns.filter(({ call }) => call !== undefined).length,
        ...(ask !== undefined && { 'desk.run.ask': ask }),
        ...(draft !== undefined && { 'desk.draft.blocked': draft.blocked }),
        ...open({ 'desk.run.why': why }),
      });
      if (state === 'failed') failed(span, 'failed');
    });
  }

  return {
    connection(connection, config) {
      const spanned = exchanged(connection, config.kind === 'http' ? 'tcp' : 'pipe');
      return {
        ...connection,
        call: called(spanned, connection),
        read: (request) =>
          spanned(
            { method: 'resources/read', target: null, more: open({ 'mcp.resource.uri': request.uri }) },
            request.meta,
            (meta) => connection.read({ ...request, meta }),
          ),
        getPrompt: (request) =>
          spanned(
            { method: 'prompts/get', target: request.name, more: { 'gen_ai.prompt.name': request.name } },
            request.meta,
            (meta) => connection.getPrompt({ ...request, meta }),
          ),
        task: (handle, round) => connection.task(handle, { ...round, around: aroundTask(spanned, handle) }),
        answerTask: (handle, answers, round) =>
          connection.answerTask(handle, answers, { ...round, around: aroundTask(spanned, handle) }),
        stopTask: (handle, round) => connection.stopTask(handle, { ...round, around: aroundTask(spanned, handle) }),
      };
    },
    model: (model) => ({
      ...model,
      read: (segments, signal) =>
        decoded(
          model,
          'read',
          () => model.read(segments, signal),
          (meter) => meter,
        ),
      choose: (segments, options, signal) =>
        decoded(
          model,
          'choose',
          () => model.choose(segments, options, signal),
          ({ meter }) => meter,
        ),
      generate: (segments, generation, signal) =>
        decoded(
          model,
          'generate',
          () => model.generate(segments, generation, signal),
          ({ meter }) => meter,
        ),
    }),
    session: (session) => ({
      ...session,
      workTicket: (ticket, watch) => run(ticket.id, false, () => session.workTicket(ticket, watch)),
      goOn: (call, watch) => run(call.ticket, true, () => session.goOn(call, watch)),
    }),
    answered({ id, state, request, role, pushed, scripted, answer, asked_at, answered_at }) {
      if (state !== 'answered') return;
      const { params } = request;
      waited('question wait', Date.parse(asked_at), Date.parse(answered_at ?? asked_at), {
        'desk.question.kind': isObject(params) && params['mode'] === 'url' ? 'url' : 'form',
        'desk.question.role': role,
        'desk.question.pushed': pushed,
        'desk.question.scripted': scripted,
        'desk.question.action': answer?.action ?? 'none',
        ...open({ 'desk.question': id }),
      });
    },
    moved({ id, state, consent, prefix }) {
      if (consent === null || consent.by === 'host' || (state !== 'consented' && state !== 'declined')) return;
      // One that could not be sent comes back to where it was.
      if (told.has(id)) return;
      told.add(id);
      const now = clock.now();
      waited('question wait', now - consent.ms, now, {
        'desk.question.kind': 'consent',
        'desk.question.scripted': consent.scripted,
        'desk.question.action': consent.answer === 'run' ? 'accept' : 'decline',
        'desk.server': prefix,
        ...open({ 'desk.call': id }),
      });
    },
    close,
  };
}

/** Words for requests that went wrong; where the server answered with an error, its code stands for it. */
const errorTypes: Record<string, string> = { 'tool error': 'tool_error', 'not sent': 'not_sent', unknown: 'unknown' };

/** The span as W3C Trace Context writes it, under the keys that MCP keeps for it in `_meta`. */
function carried(span: Span): JsonObject {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext();
  const state = traceState?.serialize() ?? '';
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    ...(state !== '' && { tracestate: state }),
  };
}
