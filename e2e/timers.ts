// Clocks around the model and the servers of a real host, for the bench: what is left of a ticket's time is the host's own.
import type { Host } from '../main/host.ts';
import type { Model } from '../main/model/model.ts';

export type Spent = ReturnType<typeof createSpent>;

/** Milliseconds spent outside the host since the last reset. */
export function createSpent() {
  const zero = { model: 0, servers: 0, operations: 0, calls: 0 };
  return {
    ...zero,
    reset(): void {
      Object.assign(this, zero);
    },
  };
}

function timed<Args extends unknown[], Output>(
  work: (...args: Args) => Promise<Output>,
  took: (ms: number) => void,
): (...args: Args) => Promise<Output> {
  return async (...args) => {
    const started = performance.now();
    try {
      return await work(...args);
    } finally {
      took(performance.now() - started);
    }
  };
}

/** The same model with every operation on the clock. */
export function timedModel(model: Model, spent: Spent): Model {
  function took(ms: number): void {
    spent.model += ms;
    spent.operations++;
  }
  return {
    ...model,
    count: timed((...args: Parameters<Model['count']>) => model.count(...args), took),
    setPrefix: timed((...args: Parameters<Model['setPrefix']>) => model.setPrefix(...args), took),
    rewind: timed(() => model.rewind(), took),
    read: timed((...args: Parameters<Model['read']>) => model.read(...args), took),
    choose: timed((...args: Parameters<Model['choose']>) => model.choose(...args), took),
    generate: timed((...args: Parameters<Model['generate']>) => model.generate(...args), took),
    mark: timed(() => model.mark(), took),
    back: timed((mark: number) => model.back(mark), took),
  };
}

/** Puts the calls of a host's servers on the clock. Lists and resources are read before tickets and stay kept. */
export function timeServers(host: Host, spent: Spent): void {
  for (const server of host.servers.all()) {
    const { connection } = server;
    const call = timed(
      (...args: Parameters<typeof connection.call>) => connection.call(...args),
      (ms) => {
        spent.servers += ms;
        spent.calls++;
      },
    );
    server.connection = { ...connection, call };
  }
}
