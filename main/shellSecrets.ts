// The shell's key store as the host sees it, over the channel between the two.
import { Failure } from '../shared/failures.ts';
import type { Secrets } from './ports.ts';
import type { FromHost, ToHost } from './windowLine.ts';

type Answer = Extract<ToHost, { asked: number }>;

export function createShellSecrets(tell: (news: FromHost) => void): {
  port: Secrets;
  answered: (answer: Answer) => void;
} {
  const waiting = new Map<number, (answer: Answer) => void>();
  let next = 0;
  async function ask(secret: string, set?: string | null): Promise<string | null> {
    const asked = next++;
    const answer = await new Promise<Answer>((resolve) => {
      waiting.set(asked, resolve);
      tell({ asked, secret, ...(set === undefined ? {} : { set }) });
    });
    if ('failed' in answer)
      throw new Failure('secrets.failed', `This machine's key store does not answer: ${answer.failed}`);
    return answer.value;
  }
  return {
    port: {
      lasting: true,
      get: (name) => ask(name),
      async set(name, value) {
        await ask(name, value);
      },
    },
    answered(answer) {
      waiting.get(answer.asked)?.(answer);
      waiting.delete(answer.asked);
    },
  };
}
